"""What the page "You are the user" says."""

from collections import Counter
from html import escape

from pages.components.duel import source
from pages.words import literal
from pages.you.coin import against, percent
from pages.you.review import Replay, Weight
from pages.you.sitting import LEFT, ON_OFFER, RIGHT, Answered, Question, Settings, Sitting
from roam_core.policies import ASK_RULES

PRIVATE = (
    "Your answers stay in this visit: the server keeps no file of them, and they are not in the link. The link has the "
    "settings only, so whoever opens it begins anew."
)
BRING = (
    "This link is about a table of somebody's own. Such a file is in no link and on no server: bring it here again, or "
    "choose another catalogue."
)
TABLE = (
    "A CSV file: the first row names the columns, the first column names the items, all others are numbers. At most "
    "2,000 items, 50 columns and 1 MB. It stays in the memory of this visit and is not written to a disk."
)
SEALED = "ROAM has sealed its prediction of your answer. It will not learn from this pair."
RULES = {
    "most_uncertain": "the most uncertain, as in the paper",
    "informative": "the most informative",
    "previous": "the previous item",
    "random": "any past item",
}


def intro(sitting: Sitting) -> str:
    """What this is, in two sentences."""
    return (
        f"Each round ROAM shows you one more, and asks how you like it compared with an earlier one. After "
        f"{sitting.settings.tau} random rounds it recommends what it thinks you like best of {ON_OFFER}."
    )


def on_screen(sitting: Sitting, stamp: str) -> dict:
    """Everything that the component with the two pictures shows."""
    now = sitting.now
    left, right = cards(sitting, now)
    question = asked_words(sitting, now)
    said = last_words(sitting)
    words = [f"{card['whose']}: {card['words']}." if card["whose"] else card["words"] for card in (left, right)]
    done = sum(one.question.right is not None for one in sitting.answered)
    return {
        "stamp": stamp,
        "count": f"Question {done + 1} of {sitting.length}" if now.right is not None else "Round 1",
        "share": done / sitting.length,
        "question": question,
        "left": left,
        "right": right,
        "neither": "Can't say (key 0)" if now.right is not None else "",
        "said": said,
        "heard": " ".join([said, *words, question]),
    }


def cards(sitting: Sitting, now: Question) -> tuple[dict, dict]:
    """The two items: whose they are, how they look, and what choosing one means; at first one, and what will come."""
    if now.right is None:
        about = {"whose": "", "words": intro(sitting), "label": ""}
        return card(sitting, now.left, "First, at random", "Seen it: go on"), about
    like = "will be liked better" if sitting.asks_friend else "I like this better"
    if now.is_test:
        whose = ("One", "The other")
    else:
        whose = ("New, at random" if now.t <= sitting.settings.tau else f"New, its pick of {ON_OFFER}",
                 f"From round {now.since}")  # fmt: skip
    return card(sitting, now.left, whose[0], f"← {like}"), card(sitting, now.right, whose[1], f"{like} →")


def card(sitting: Sitting, row: int, whose: str, label: str) -> dict:
    """An item as the component shows it."""
    return {"source": picture(sitting, row), "words": item_words(sitting, row), "whose": whose, "label": label}


def picture(sitting: Sitting, row: int) -> str:
    """The address of an item's picture."""
    return source(sitting.embedding.draw(row))


def item_words(sitting: Sitting, row: int) -> str:
    """An item in words; of a table the item's name is the first of them."""
    words, name = sitting.embedding.describe(row), sitting.catalogue.names[row]
    return words if sitting.catalogue.endless or name in words else f"{name}: {words}"


def asked_words(sitting: Sitting, now: Question) -> str:
    """The question."""
    one = sitting.catalogue.one
    if now.right is None:
        return f"Look at this {one}. The next one will be compared with it."
    if sitting.asks_friend:
        return "Friend only: which one will the player like better?"
    if now.is_test:
        return f"A test. Which {one} do you like better?"
    return f"Do you like the new {one} better than the one from round {now.since}?"


def last_words(sitting: Sitting) -> str:
    """What became of the last answer if it was a test; else why this is asked."""
    now, last = sitting.now, sitting.answered[-1] if sitting.answered else None
    if now.is_test:
        return SEALED
    opened = opened_words(sitting, last) if last and last.question.is_test else ""
    return opened or why(sitting.settings, now)


def opened_words(sitting: Sitting, last: Answered) -> str:
    """What the sealed prediction was, and whether it was right."""
    if not last.counts:
        return "You could not say, so the test does not count."
    chance = max(last.question.sealed, 1 - last.question.sealed)
    friend = ""
    if last.friend in (LEFT, RIGHT):
        friend = " Your friend was right." if last.friends_hit else " Your friend was wrong."
    return f"Sealed was: the {last.question.predicted} one, {chance:.0%}. {'A hit' if last.hit else 'A miss'}.{friend}"


def why(settings: Settings, now: Question) -> str:
    """How the question was chosen."""
    if now.since is None:
        return ""
    if now.t <= settings.tau:
        return f"Round {now.t} of {settings.tau} random ones: it asks about the one just before."
    sentence = ASK_RULES[settings.ask].sentence
    return sentence.format(past=now.t - 1, item=f"from round {now.since}", window=0, formula="")


def strip(sitting: Sitting) -> str:
    """The history as a strip of pictures, as HTML: what was asked about, and how often. Its length never changes."""
    times = Counter(one.question.since for one in sitting.asked)
    now, many = sitting.now.since if sitting.now else None, sitting.questions + 1
    cells = []
    for t, row in enumerate(sitting.consumed, start=1):
        marks = " ".join(["asked"] * (times[t] > 0) + ["now"] * (t == now))
        about = f"round {t}" + (f", asked about {counted_times(times[t])}" if times[t] else "")
        said = f"{times[t]}×" if times[t] else ""
        cells.append(f'<div class="{marks}"><span>{image(sitting, row, about)}</span><i>{said}</i></div>')
    later = '<div class="later"><span></span><i></i></div>' * (many - len(cells))
    return f'<div class="you-strip" style="--many: {min(many, 21)}">{"".join(cells)}{later}</div>'


def image(sitting: Sitting, row: int, about: str = "", chosen: bool = False) -> str:
    """The picture of an item as HTML, with its words."""
    said = escape(item_words(sitting, row) + (f" ({about})" if about else ""))
    mark = ' class="chosen"' if chosen else ""
    return f'<img{mark} src="{picture(sitting, row)}" alt="{said}" title="{said}">'


def counted_times(number: int) -> str:
    """How often, in words."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def five(sitting: Sitting, rows: list[int], title: str) -> str:
    """Five items in a row with a title, as HTML; room for them as long as there are none."""
    images = "".join(image(sitting, row) for row in rows) or "<span></span>" * 5
    return f'<div class="you-five"><b>{title}</b><div>{images}</div></div>'


def tested(sitting: Sitting) -> str:
    """The hits so far."""
    s, score = sitting.settings, sitting.score
    if not s.every:
        return "**The test of it** is switched off in the settings."
    if not score.of:
        return (
            "**The test of it:** now and then comes a random pair. Its prediction is sealed before you answer, shown "
            "afterwards, and nothing is learnt from it."
        )
    said = f"**The test of it:** {score.words}."
    return f"{said} Your friend: {sitting.friends_score.words}." if s.guess else said


def beliefs_words(weights: list[Weight], learnt: int) -> str:
    """What is believed, for those who do not see the picture."""
    if not learnt:
        return "Nothing is known of your taste yet: every interval is as wide as it gets."
    parts = [f"{weight.liked} ({weight.name}, {percent(weight.sure)} sure)" for weight in weights]
    return f"It believes that you like: {', '.join(parts)}."


def learnt_words(sitting: Sitting, weights: list[Weight], angle: float) -> str:
    """Which features matter, and how surely."""
    answers = "1 answer" if sitting.learnt == 1 else f"{sitting.learnt} answers"
    if not sitting.learnt:
        return "It has no answer to learn from, so it knows nothing of your taste."
    sure = [weight for weight in weights if weight.matters]
    said = ", ".join(f"**{literal_end(weight)}** ({percent(weight.sure)} sure)" for weight in sure)
    open_ = ", ".join(f"{weight.name}" for weight in weights if not weight.matters)
    parts = [f"From {answers}: you like {said}." if sure else f"From {answers} it is sure of no feature yet."]
    if open_:
        parts.append(f"It cannot tell about {open_}.")
    parts.append(f"It is 90% sure that your taste lies within {angle:.0f} degrees of its estimate.")
    return " ".join(parts)


def literal_end(weight: Weight) -> str:
    """The liked end of a feature, without markup."""
    return literal(weight.liked)


def replay_words(replay: Replay | None, ask: str) -> str:
    """How another rule would have done, from the estimated taste."""
    if replay is None:
        return ""
    other = next(rule for rule in replay.angles if rule != ask)
    own, else_ = replay.median(ask), replay.median(other)
    shows = "The difference is more than luck." if replay.differ else "The difference is no more than luck makes."
    return (
        f"**Another way to ask.** Simulated persons with exactly the taste that it estimated of you, "
        f"{replay.questions} questions each. Asked about {RULES[ask]}, the estimate ends {own:.0f} degrees off "
        f"in the median; asked about {RULES[other]}, {else_:.0f}. {shows} "
        "This replays the estimate, not you: only your own answers are yours."
    )


def friends_words(sitting: Sitting) -> str:
    """Who predicts better, the friend or ROAM."""
    both = [one for one in sitting.tests if one.friend in (LEFT, RIGHT)]
    if not both:
        return "Your friend has predicted nothing."
    roam, friend = (sum(hits) for hits in zip(*((one.hit, one.friends_hit) for one in both), strict=True))
    only_roam = sum(one.hit and not one.friends_hit for one in both)
    only_friend = sum(one.friends_hit and not one.hit for one in both)
    return f"**You guess, it guesses.** Of {len(both)} answers your friend predicted {friend}, ROAM {roam}. " + against(
        "ROAM", "your friend", only_roam, only_friend
    )


def teacher_words(sitting: Sitting, one: Answered, degrees: float) -> str:
    """An answer that taught much, as HTML: its pictures, and what would be without it."""
    q = one.question
    chosen = q.left if one.side == LEFT else q.right
    images = "".join(image(sitting, row, "preferred" * (row == chosen), row == chosen) for row in (q.left, q.right))
    about = f"Round {q.t} against round {q.since}. Without it the estimate would point {degrees:.0f}° elsewhere."
    return f'<div class="you-taught"><div>{images}</div><span>{about}</span></div>'
