package io.entroq.simulator.hunt;

import io.entroq.simulator.check.Violation;
import io.entroq.simulator.model.ReferenceModel;
import io.entroq.simulator.workload.Action;
import io.entroq.simulator.workload.CommandGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One seed: its commands into one world, until a rule is broken or they are all done. */
public final class Hunt {
  private final long seed;
  private final Feeding feeding;
  private final Distortion distortion;
  private final List<Action> done = new ArrayList<>();
  private final SplittableRandom restarts;
  private long startMs;

  /**
   * A hunt that has not begun.
   *
   * @param seed decides everything, the feeding included
   * @param distortion what the model is told instead of what the engine says
   */
  public Hunt(long seed, Distortion distortion) {
    this.seed = seed;
    this.feeding = seed % 2 == 0 ? Feeding.PREPARED : Feeding.LOGGED;
    this.distortion = distortion;
    this.restarts = new SplittableRandom(~seed);
  }

  /**
   * Runs a number of actions.
   *
   * @throws HuntFailure if a rule is broken, with the shortest way there that was found
   */
  public void run(int count) {
    ReferenceModel model = new ReferenceModel();
    CommandGenerator generator = new CommandGenerator(seed, model.view());
    startMs = generator.startMs();
    try {
      World world = world(model);
      for (int i = 0; i < count; i++) {
        Action action = isRestart(count) ? restart() : generator.next();
        done.add(action);
        world.perform(action);
      }
      world.checkEverything();
    } catch (Violation violation) {
      throw failure(violation);
    }
  }

  private World world(ReferenceModel model) {
    return new World(model, Beginning.of(seed, startMs), feeding, distortion);
  }

  private boolean isRestart(int count) {
    return restarts.nextInt(Math.max(1_000, count / 3)) == 0;
  }

  private Action restart() {
    return new Action.Restart(restarts.nextInt(Shapes.COUNT));
  }

  private HuntFailure failure(Violation violation) {
    List<Action> shortest = new Shrinker(this::violation).shrink(done, violation.rule());
    Violation shown = violation(shortest);
    return new HuntFailure(seed, feeding, done.size(), shortest, shown == null ? violation : shown);
  }

  /** What the actions lead to in a world of their own; null: nothing. */
  private Violation violation(List<Action> actions) {
    try {
      World world = world(new ReferenceModel());
      actions.forEach(world::perform);
      world.checkEverything();
      return null;
    } catch (Violation violation) {
      return violation;
    }
  }
}
