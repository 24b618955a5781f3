"""What the page "Class" says."""

ABOUT = (
    "A lecturer opens a room and shows its code. Students join on their phones, predict, and see the simulation "
    "decide. Nobody gives an e-mail address, and no network address is kept."
)
OPENING = (
    "You get a code and a QR code for the class, and a secret link with which only you control the room. It works "
    "again next week."
)
WAITING = (
    "Wait for the lecturer: this page follows by itself. It is about **ROAM**, a recommender that learns your taste "
    "by asking: was tonight's film better than one that you saw before?"
)
DOOR = "The door is closed: nobody new can come in."
SECRET = (
    "This link controls the room: keep it to yourself, and use it again next week. It is also this page's own address, "
    "so show the class the projector's page, not this one."
)
PROJECTOR = "What the class may see, without your buttons: open it on the projector. It follows by itself."
IN_MEMORY = (
    "This server cannot keep rooms: {} They live in its memory. If it is restarted, rooms and answers are lost, so "
    "save the answers at the end."
)
FOLLOW_ME = "To show another page on all phones, open it: there is a button for it above that page."
THIS_LINK = "With a mouse, each plot's toolbar saves it as SVG or PNG. This link leads students into the room:"
ON_THE_WALL = "Look at the projector."
CLOSED = "The vote is closed."
AGAIN = "Vote again. Has anybody changed your mind?"
KEPT = "Your answer is kept: **{}**. Until the vote closes you can choose another."
DISCUSS = "**Convince your neighbour**, or be convinced: perhaps there is a second vote."
DECIDING = "The simulation is deciding …"
NOT_THE_KEY = "This is not, or not any more, the secret link of this room. As a student you can join it here."
NONE_KEPT = "You have not answered."
NOT_YOURS = "This link is not, or not any more, the one of a person in this room. Join again."


def so_many(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


def people(number: int) -> str:
    """How many are in a room."""
    return "Nobody is here yet" if not number else f"{so_many(number, 'person is', 'people are')} here"


def have_answered(number: int, of: int) -> str:
    """How many have answered, and nothing about what."""
    return f"**{number} of {of}** {'has' if number == 1 else 'have'} answered"
