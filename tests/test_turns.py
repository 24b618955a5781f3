"""Scripts take turns: few at a time, and who waits for something else lets others go on."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.turns import Turns

PATIENCE = 30.0  # seconds until something that ought to happen counts as not happening


def test_no_more_than_so_many_go_on_at_once():
    turns, together, lock, most = Turns(2), threading.Barrier(2), threading.Lock(), []

    def script():
        with turns.turn():
            with lock:
                most.append(most[-1] + 1 if most else 1)
            together.wait(PATIENCE)  # two are in it at once, so it is not one only
            with lock:
                most.append(most[-1] - 1)

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(script) for _ in range(8)]:
            done.result(PATIENCE)
    assert max(most) == 2


def test_who_rests_lets_others():
    turns, went = Turns(1), threading.Event()

    def other():
        with turns.turn():
            went.set()

    with turns.turn():
        thread = threading.Thread(target=other)
        thread.start()
        with turns.rest():
            assert went.wait(PATIENCE)
        thread.join(PATIENCE)


def test_a_turn_inside_a_turn_and_a_rest_outside_one_go_on_at_once():
    turns = Turns(1)
    with turns.turn(), turns.turn():
        pass
    with turns.rest(), turns.turn():
        pass


@pytest.mark.parametrize("ended_by", [KeyboardInterrupt, ValueError])
def test_a_script_that_is_ended_gives_its_turn_back(ended_by):
    turns = Turns(1)
    with pytest.raises(ended_by), turns.turn(), turns.rest():
        raise ended_by
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: turns.turn().__enter__()).result(PATIENCE) is None
