"""What the proof's steps give away, over many users, against the chain along each single run."""

import numpy as np
import pytest

from roam_core import Scenario, trajectory
from roam_core.engine import batch_sizes, finish
from roam_core.slack import Slack
from roam_core.theory import chain


@pytest.mark.parametrize("changes", [{}, {"tau": 0}, {"skip_below": 0.4}, {"radius": 3.0, "link": "probit"}], ids=str)
def test_it_is_the_mean_slack_of_the_chain_of_each_run(changes):
    scenario = Scenario(**{"d": 3, "k": 50, "horizon": 80, "tau": 20, "runs": 4, **changes})
    work = Slack(scenario, delta=0.1)
    parts = [finish(work.play(index)) for index in range(len(batch_sizes(scenario)))]
    found = work.join(parts, 1.0)
    assert found.runs == 4
    for run in range(4):
        played = trajectory(scenario, run)
        np.testing.assert_allclose(found.slack[run], np.log10(chain(played, 0.1).mean_slack), atol=1e-9)
        assert found.regret[run] == pytest.approx(played.regret[-1])
    assert work.join([], 0.0).runs == 0
