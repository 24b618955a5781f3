"""The bank: every question, in a teaching order. No answer is written here; the runs decide. No Streamlit here."""

from dataclasses import replace

from pages.ask_better.asking import one_round, scene
from pages.bank.commitments import Choice, Curve, Item, Number
from pages.bank.question import Bars, Question, Race, Results, Scene, Try
from pages.bank.truths import (
    above_the_truth,
    cost_at_the_end,
    cost_of_a_round,
    curve_at,
    ends,
    extreme,
    loosest_step,
    percent_less,
    percent_more,
    questions_about_the_first,
    saved_most,
    step_names,
    times,
    told_by_each,
)
from roam_core import Scenario
from roam_core.slack import Slack

USERS = 50
PAPERS = Scenario(runs=USERS)  # the paper's setting with half as many users: that is soon computed
SEVERAL = 3  # questions an item
SKIPPED = 0.1  # uncertainty below which nothing is asked
TAUS = (0, 25, 100)
LONG = 300
ROUNDS = tuple(range(0, PAPERS.horizon + 1, 100))
OFFERS = {"ten": 10, "thousands": 10_000}
PICTURE = scene(seed=0, radius=3.0)
RADII = {"small": 0.3, "middle": 1.0, "huge": 10.0}
FEWER = 27  # users where there are many scenarios
FACTORS = {"ten": 10.0, "hundred": 100.0, "thousand": 1000.0, "tenthousand": 10_000.0}


def at_the_end(value):
    """A prediction as a point above the last round, as high as `value` of the first result's regret and the answer."""

    def path(results: Results, answer: float) -> tuple[list[float], list[float]]:
        return [results[0].scenario.horizon], [value(float(ends(results[0]).mean()), answer)]

    return path


TIMES = at_the_end(lambda regret, answer: regret * answer)
MORE = at_the_end(lambda regret, answer: regret * (1 + answer / 100))
LESS = at_the_end(lambda regret, answer: regret * (1 - answer / 100))


_QUESTIONS = (
    Question(
        "film",
        "What does a poor film cost?",
        "On this scale the best film there can be is worth 1 to you and the worst is worth −1. Tonight there are 1,000 "
        "films on offer and one is picked at random: how much less is it worth than the best of them, on average?",
        Number("It costs", 0, 2, 0.1, 0.15),
        (Scenario(tau=50, horizon=50, runs=100),),
        cost_of_a_round,
        Race(("random films",), lambda results, answer: ([0, 50], [0, 50 * answer])),
        "A random film costs {short}: that is its **regret**.",
        "A random film is worth nothing on average, because it is as often against your taste as along it. The best of "
        "1,000 is nearly the best there can be. The distance between the two is paid every evening, so that the "
        "regrets of fifty evenings add up to a straight line.",
        Try("Offer only 2 films instead of 1,000: what does a random one cost then?", "simulation-lab",
            {"k": "2", "tau": "50", "horizon": "50"}),
        minutes=3,
        ask="Who has met a recommender that picked at random? How would you notice?",
    ),
    Question(
        "learn",
        "What does it cost after learning?",
        "ROAM picks at random for 50 rounds and recommends what looks best after that; in every round it asks one "
        "question. In rounds 901 to 1,000, what does a round cost, in per cent of what a random round costs?",
        Number("A late round costs", 0, 100, 1, 5, "{}% of a random one"),
        (PAPERS,),
        cost_at_the_end,
        Bars(("a random round", "rounds 901 to 1,000"), "regret of a round",
             lambda truth, answer: (1, truth.values[0] * answer / 100)),
        "A late round costs {short} of a random one: {late} instead of {random}.",
        "Every answer says a little about the taste, and by then there are about a thousand. The item that looks best "
        "is nearly as good as the best one even if the estimate is a little off. So most of the regret is paid early.",
        Try("See single users beside the mean: does everybody's regret curve become flat?", "simulation-lab",
            {"spread": "1"}),
    ),
    Question(
        "rounds",
        "How many random rounds are best?",
        "Random rounds cost much, but they fill the history, the items that one can ask about later, with variety. "
        "With 1,000 rounds in all, how many of them should be random?",
        Choice({f"tau{tau}": f"{tau} random rounds" if tau else "none at all" for tau in TAUS}),
        tuple(replace(PAPERS, tau=tau) for tau in TAUS),
        extreme([f"tau{tau}" for tau in TAUS]),
        Bars(tuple(f"τ = {tau}" for tau in TAUS), "regret at T = 1000", users=True),
        "Mean regret is {tau0} without random rounds, {tau25} with 25 and {tau100} with 100.",
        "A hundred random rounds cost a poor film each, and what is learnt in the last seventy-five of them does not "
        "pay for that. With none the first questions compare items that are all alike: some users fare well, "
        "others badly, so the mean alone does not tell the whole story.",
        Try("See how far single users are spread without exploration.", "simulation-lab",
            {"tau": "0", "pin": "defaults", "spread": "1"}),
        minutes=6,
        ask="Would you rather have the lower mean, or the smaller risk?",
    ),
    Question(
        "draw",
        "Draw the regret of a long exploration",
        "ROAM picks at random for 300 rounds, and in the other 700 what looks best by its estimate of your taste. Draw "
        "how the regret adds up over the 1,000 rounds.",
        Curve("Your regret curve", ROUNDS, 1000, 50),
        (replace(PAPERS, tau=LONG),),
        curve_at(ROUNDS),
        Race((f"τ = {LONG}",), lambda results, answer: (list(ROUNDS), list(answer))),
        "The curve is straight up to round 300, then almost flat: {explored} of the regret is paid in the random "
        "rounds, and at the end it is {end}.",
        "Random rounds cost the same each, so they make a straight line. After 300 answers the estimate is good, and a "
        "round costs next to nothing. The corner is where the algorithm stops exploring and begins to use what it "
        "knows.",
        Try("Move the exploration rounds (τ) and see the corner move.", "simulation-lab", {"tau": "300"}),
        minutes=7,
        ask="Where does your curve differ from the truth, and what did you think would happen there?",
    ),
    Question(
        "previous",
        "What does a lazy question cost?",
        "ROAM asks about the past item whose comparison with the new one is most uncertain, by all answers so far. "
        "A lazy rule always asks about the item just before: how large is its regret?",
        Number("The lazy rule's regret is", 1, 4, 0.1, 0.3, "{} times ROAM's"),
        (PAPERS, replace(PAPERS, ask="previous")),
        times,
        Race(("ROAM", "item before"), TIMES, before=1),
        "The lazy rule pays {short} ROAM's regret: {regret2} instead of {regret1}.",
        "After exploration all recommended items look alike, because all of them look good. A comparison of two items "
        "that are alike says little. The old random items differ, and asking about them costs nothing.",
        Try("Compare all rules over many users: does any question about the past do as well as ROAM's?", "rivals",
            {"view": "ask"}),
        minutes=5,
        ask="Which item of your own past would you be asked about, and why that one?",
    ),
    Question(
        "share",
        "Which items does ROAM ask about?",
        "Of 1,000 items that a user consumes, the first 50 come from exploration: 5%. What share of the 950 questions "
        "after that is about one of these 50?",
        Number("So many questions are about the first 50", 0, 100, 1, 7, "{}%"),
        (PAPERS,),
        questions_about_the_first,
        Bars(("share of the items", "share of the questions"), "per cent", lambda truth, answer: (1, answer)),
        "{short} of the questions are about the first 50 items.",
        "Later items all lie where the estimate points: they are alike, and to compare two of them tells little. The "
        "first ones lie everywhere, which makes a **rich history**. That is what ROAM stands for, Regret Once, Ask "
        "Many: an item is paid for once, and one can ask about it again and again.",
        Try("Further down on that page is a plot of which past item was asked about in each round. Look at its lowest "
            "stripe, then set τ to 10.", "simulation-lab"),
    ),
    Question(
        "item",
        "Which past item would you ask about?",
        "The star is the new item, the dots are past ones, and what lies higher should please this user more, who has "
        "strong preferences: the best item is worth 3, not 1. Whose comparison with the star would tell most?",
        Item(lambda: len(one_round(PICTURE).history)),
        (PICTURE,),
        told_by_each(PICTURE),
        Scene(PICTURE),
        "The item in the diamond tells most (that of round {best}): a large dot tells much, a small one little. The "
        "paper's rule asks about the one in the square (round {papers}), which tells {share} of it.",
        "A question tells much if its answer is open and if it goes where little is known. The paper's rule, the most "
        "uncertain comparison, looks at the second only. This user's preferences are strong (utilities reach r = 3): "
        "the answer about an item that lies far lower is known beforehand.",
        Try("Try another round, and one with small utilities (r = 0.3).", "ask-better"),
        minutes=6,
        ask="What would you ask a friend whose answer you can already guess?",
    ),
    Question(
        "fewer",
        "What do fewer questions cost?",
        "People tire of questions. So ROAM now asks only if the comparison is still uncertain enough, and leaves out "
        "nearly half of its questions: how much does that cost?",
        Number("Its regret is larger by", 0, 100, 5, 10, "{}%"),
        (PAPERS, replace(PAPERS, skip_below=SKIPPED)),
        percent_more,
        Race(("always asks", "asks if uncertain"), MORE, before=1),
        "It asks {asked} questions instead of 999, and its regret is larger by {short}. (The users are the same, so "
        "that is surer than the two bands of the plot.)",
        "Late questions change the estimate little: what they compare was asked about many times. Leaving those out "
        "costs next to nothing. Skipping more than that begins to hurt, because then it stops before it knows enough.",
        Try("Look along the thresholds: from which one on does asking less begin to cost? Then give a question a cost.",
            "rivals", {"view": "less"}),
    ),
    Question(
        "several",
        "What do more questions save?",
        f"Now the user is patient: after the 50 random rounds there are {SEVERAL} questions about every new item, each "
        "about another past one. By how much is regret smaller?",
        Number("Regret is smaller by", 0, 80, 5, 8, "{}%"),
        tuple(replace(PAPERS, runs=FEWER, questions=m) for m in (1, SEVERAL)),
        percent_less,
        Race(("1 question", f"{SEVERAL} questions"), LESS, before=1),
        "With three answers an item, regret is smaller by {short}: {regret2} instead of {regret1}.",
        "Three times as many answers do not bring regret down to a third. About half of it is paid in the 50 random "
        "rounds, where nothing changes. And the error shrinks only with the root of the number of answers.",
        Try("See what one, two, three and five questions an item come to: what does the second one save, what the "
            "fifth?", "experiments",
            {"view": "questions"}),
    ),
    Question(
        "features",
        "Twice as many features",
        "An item is described by five numbers, its features. Now there are ten, and exploration is twice as long too, "
        "as the paper does it (τ = 10 d): how much larger is regret?",
        Number("Regret becomes", 1, 6, 0.1, 0.3, "{} times as large"),
        (PAPERS, replace(PAPERS, d=10)),
        times,
        Race(("d = 5", "d = 10"), TIMES, before=1),
        "With ten features regret is {short} as large: {regret2} instead of {regret1}.",
        "There is twice as much to learn, and an answer says no more than before. The paper's theorem says that regret "
        "grows in proportion to the number of features, and roughly so it does here.",
        Try("Sweep the feature dimension from 2 to 10, at the end of that page: is it a straight line?",
            "simulation-lab", {"sweep": "d=2,4,6,8,10"}),
        minutes=4,
        ask="What else doubles when the number of features does?",
    ),
    Question(
        "offer",
        "Ten films or ten thousand?",
        "Each evening there are 10 films on offer, or 10,000. Regret compares your film with the best one on offer.",
        Choice({"ten": "more regret with 10", "thousands": "more regret with 10,000"}),
        tuple(replace(PAPERS, k=k) for k in OFFERS.values()),
        extreme(list(OFFERS), largest=True),
        Bars(tuple(f"k = {k:,}" for k in OFFERS.values()), "regret at T = 1000"),
        "Mean regret is {ten} with 10 films and {thousands} with 10,000.",
        "With a larger offer the best film is better, so a random or mistaken pick misses more. But ten thousand are "
        "not a thousand times worse than ten: the best film can be worth no more than 1.",
        Try("Sweep the number of items from 10 to 10,000, at the end of that page.", "simulation-lab",
            {"sweep": "k=10,100,1000,10000"}),
    ),
    Question(
        "rival",
        "Against a rival",
        "CoLSTIM is an earlier algorithm: it shows two fresh items at a time and asks which is better. A round "
        "costs the mean of what the two cost: how large is its regret?",
        Number("CoLSTIM's regret is", 0.5, 5, 0.1, 0.3, "{} times ROAM's"),
        tuple(Scenario(runs=FEWER, algorithm=name) for name in ("roam", "colstim")),
        times,
        Race(("ROAM", "CoLSTIM"), TIMES, before=1),
        "CoLSTIM pays {short} ROAM's regret: {regret2} instead of {regret1}.",
        "CoLSTIM must pay for both items, so the second one has to look good too: then the two are alike and their "
        "comparison says little. ROAM compares with an item that was paid for long ago, which may be as bad as it "
        "likes.",
        Try("Tune CoLSTIM (c1 and c2): can you bring it below ROAM?", "rivals", {"view": "rival"}),
    ),
    Question(
        "wrong",
        "A user it does not understand",
        "ROAM assumes a law of how people answer, a link: the clearer a preference, the surer the answer. This user's "
        "law (cauchit instead of logistic) now and then reverses even a clear one: how much larger is regret?",
        Number("Regret is larger by", 0, 200, 5, 15, "{}%"),
        tuple(replace(PAPERS, user_link=link) for link in (None, "cauchit")),
        percent_more,
        Race(("link as assumed", "another link"), MORE, before=1),
        "With the wrong link regret is larger by {short}.",
        "An estimate is an arrow among the features: to recommend well it must point the right way, and how long it is "
        "does not matter. A wrong link makes it too long or too short, but hardly turns it. Some answers are reversed "
        "more often, and those cost a little.",
        Try("See error and regret of the two side by side.", "rivals", {"view": "link"}),
    ),
    Question(
        "fails",
        "Where does the paper's rule fail?",
        "The paper's rule asks where least was asked so far; another rule, the informative one, looks also at whether "
        "the answer is still open. The size of utilities (r) says how sure answers are: where does the informative "
        "rule save most regret?",
        Choice({
            "small": "small utilities, r = 0.3: answers are nearly coin flips",
            "middle": "the paper's setting, r = 1",
            "huge": "very large utilities, r = 10: answers are nearly certain",
        }),
        tuple(Scenario(runs=FEWER, radius=r, ask=ask) for r in RADII.values() for ask in ("most_uncertain",
                                                                                     "informative")),
        saved_most(list(RADII)),
        Bars(tuple(f"r = {r:g}" for r in RADII.values()), "change of regret, per cent"),
        "Compared with the paper's rule, the informative one changes regret by {huge} at r = 10, by {middle} at r = 1 "
        "and by {small} at r = 0.3.",
        "Where utilities are large, most answers are known beforehand, and the paper's rule goes on asking for them. "
        "Where they are small every answer is open, and both rules ask much the same: what differs there is, with so "
        "few users, mostly luck.",
        Try("Write a rule of your own and see where it beats the paper's.", "ask-better", {"view": "rules"}),
        minutes=5,
        ask="How could one repair the paper's rule?",
    ),
    Question(
        "bound",
        "How good is the theorem's promise?",
        "The paper proves a bound: with high probability regret is never above it. With the numbers of its own "
        "experiment put in, how large is the bound beside the regret that is measured? Choose what is nearest.",
        Choice({"ten": "about 10 times", "hundred": "about 100 times", "thousand": "about 1,000 times",
                "tenthousand": "about 10,000 times"}),
        (PAPERS,),
        above_the_truth(FACTORS),
        Bars(("measured", "bound"), "regret at T = 1000",
             lambda truth, answer: (1, truth.values[0] * FACTORS[answer]), log=True),
        "Regret is {regret} and the bound is {bound}: {times} times as much.",
        "The bound must hold for every user, every luck and every history that exploration may leave. Here it "
        "even exceeds 2,000, the most that 1,000 rounds can cost. What it is good for is its shape: it grows more "
        "slowly than the rounds, so that a round's regret must go to nothing in the end.",
        Try("Answer the next question first: this page gives it away. Then see every quantity of the theorem with its "
            "number.", "theory"),
    ),
    Question(
        "proof",
        "Which step of the proof gives away most?",
        "The proof bounds a round's regret in four steps, each of which makes the bound larger than it need be. Which "
        "one loses most?",
        Choice(dict(zip(step_names(), (
            "(i) greedy choice: what is recommended looks at least as good as the best item",
            "(ii) Cauchy–Schwarz: two arrows are taken to point the same way",
            "(iii) confidence: the estimate is taken to be as far off as it can be",
            "(iv) rich history: the past is taken to be as poor as exploration may leave it",
        ), strict=True))),
        (Slack(Scenario(runs=FEWER)),),
        loosest_step,
        Bars(("(i)", "(ii)", "(iii)", "(iv)"), "factor given away", log=True),
        "Step (iii), confidence, gives away a factor of {confidence}; step (iv), rich history, {rich}; step (i), the "
        "greedy choice, {greedy}; and step (ii), Cauchy–Schwarz, {cauchy}.",
        "The confidence set must hold for the worst case: the flattest part of the link, all rounds at once. Measured "
        "estimates are far better than that. Where one wants a better theorem, that is the place to begin.",
        Try("See the four steps measured along a run, round by round.", "theory"),
        minutes=5,
        ask="If you could improve one step, which would change the theorem most?",
    ),
)  # fmt: skip
BANK: dict[str, Question] = {question.key: question for question in _QUESTIONS}
