// What is said of a history at each step: one number with its name, an introduction, and what came of it in words. All
// of it is computed from the items on screen, so it follows a dragged item.

const REACH = { name: "The best question reaches", of: "of the farthest mistake" };
const FEWEST = 3; // items that need not lie on a line

const percent = (part) => `${short(100 * part, 2)}%`;
const share = ({ m, w, ratio }, r) => (Number.isFinite(ratio) ? w / (r + m) : 0); // 1 / rho(H)
const tidy = (value, r) => short(Math.abs(value) < 1e-6 * r ? 0 : value, 3); // what is only rounding is zero
const reachAndMistake = ({ m, w }, r) => [w, r + m].map((length) => tidy(length, r));

const ofPast = ({ points, r }) => {
  const [across, up] = [[1, 0], [0, 1]].map((v) => extent(points, v)).map(([low, high]) => tidy(high - low, r));
  return {
    name: "The history (H) has", value: String(points.length), of: points.length === 1 ? "past item" : "past items",
    intro: "Each dot is an item, a film say, that this user consumed before; its place says what it is like.",
    words: points.length < 2 ? "So few have nothing to differ in. Click to add some."
      : `They differ by up to ${across} from left to right, and by up to ${up} from bottom to top.`,
  };
};

const ofDirection = ({ r }, { worst }) => {
  const value = tidy(2 * worst.w, r), fill = Number(value) ? "only the purple part" : "a single point";
  return {
    name: "The shadow along this direction is", value, of: "wide",
    intro: "Look along one direction (v, the arrow): the part of it that the items fill is their shadow.",
    words: `Here they fill ${fill}: ${value}, while all that could ever be offered is ${tidy(2 * r, r)} wide.`,
  };
};

const ofFresh = ({ points, r }, { worst }) => {
  const value = tidy(worst.w, r);
  return {
    name: REACH.name, value, of: "far",
    intro: "A fresh item (x, the circle) lies in the middle of the shadow. A question compares it with a past item, "
      + "and tells about taste along v only as far as the two differ along v.",
    words: points.length ? `The farthest past item (ringed) is ${value} away.` : "But there is no past item.",
  };
};

const ofOther = ({ r }, { worst }) => {
  const value = percent(share(worst, r)), [reach, mistake] = reachAndMistake(worst, r);
  return {
    ...REACH, value, intro: "Another item on offer (x′, the square) may have been better than x.",
    words: `That mistake can be as long as ${mistake} along v. The best question reaches ${reach}: ${value} of it.`,
  };
};

const ofWorst = ({ points, r, outline }, { worst, narrowest, differ }, shows) => {
  const value = percent(share(worst, r)), [reach, mistake] = reachAndMistake(worst, r);
  if (!Number(reach)) return ofNothing(points);
  const narrower = shows.has("middle") && differ
    ? ` The dotted shadow is narrower, but nearer the centre (cross): there it is ${percent(share(narrowest, r))}.`
    : "";
  return {
    ...REACH, value, intro: "A fresh item (x) is compared with a past one, but another (x′) may have been better.",
    words: `In the worst direction (v) that mistake can be ${mistake} long, and the best question reaches ${reach}: `
      + `${value} of it.${narrower}${outside(worst.v, r, outline)}`,
  };
};

const ofNothing = (points) => ({ // seen from the side
  ...REACH, value: "0%",
  intro: !points.length ? "There is no past item to compare a fresh item with."
    : `${points.length < FEWEST ? "So few" : "These"} items lie on a line.`,
  words: !points.length ? "" : "Across it, along the direction v, they cast no shadow: for a fresh item (x) on that "
    + "line no question tells anything about v.",
});

const outside = ([x, y], r, [a, b]) => ( // x′ = -r v need not be an item that can be offered
  (r * x / a) ** 2 + (r * y / b) ** 2 > 1 + 1e-6
    ? " Such an x′ lies outside this item space (dotted line), but the paper's definition counts it." : ""
);

const MEASURES = { past: ofPast, direction: ofDirection, fresh: ofFresh, other: ofOther };

function measure(step, history, found, shows) {
  return (MEASURES[step] ?? ofWorst)(history, found, shows);
}

function inSymbols({ r }, { worst }, bound, least) { // the same in the paper's terms
  const { ratio } = worst, [reach, mistake] = reachAndMistake(worst, r);
  const value = Number.isFinite(ratio) ? `(r + m) / w = ${mistake} / ${reach} = ${short(ratio, 3)}` : "infinite";
  return [
    `The history's own richness, ρ(H) = ${value}, is the smallest β for which Definition 1 calls it β-rich. Low is `
      + "rich: the share above is 1/ρ(H).",
    "Along the worst direction the question reaches w, half the shadow's width. The mistake is r + m: r is the largest "
      + "length of an item, m how far the shadow's middle is off the centre.",
    "The paper proves that after enough exploration, with high probability, ρ(H) is at most β = 8r/√λmin(Σ) = "
      + `${short(bound, 3)}. Σ is the mean of (x−x′)(x−x′)ᵀ over two random items, and λmin(Σ) = ${short(least, 3)} `
      + "its smallest eigenvalue: how much they differ, squared, where they differ least.",
    `For this history ρ(H) is ${ratio <= bound ? "at most β: it is β-rich." : "above β: it is not β-rich."}`,
  ].join("\n");
}
