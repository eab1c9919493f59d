package io.entroq.simulator.random;

import io.entroq.engine.state.Levels;
import io.entroq.simulator.check.Violation;
import java.util.Map;
import java.util.function.Function;

/**
 * The scenes with policies, then random commands with a range of seeds, until the ledger finds a
 * violation. Takes and returns texts only, so that it can be loaded by a class loader of its own.
 */
public final class RandomRun implements Function<Map<String, String>, Map<String, String>> {
  @Override
  public Map<String, String> apply(Map<String, String> terms) {
    String seen = playScenes();
    if (!seen.isEmpty()) {
      return Map.of("invariant", seen);
    }
    int seeds = Integer.parseInt(terms.get("seeds"));
    for (int seed = 1; seed <= seeds; seed++) {
      String found = run(seed, Integer.parseInt(terms.get("actions")));
      if (!found.isEmpty()) {
        return Map.of("invariant", found);
      }
    }
    return Map.of();
  }

  /** The rule that is violated; empty if none is. */
  private static String run(long seed, int actions) {
    return ruleBroken(
        () -> {
          try (WatchedMachine machine = WatchedMachine.of(seed)) {
            CommandGenerator generator = machine.begin(seed, Levels.MAX);
            for (int i = 0; i < actions; i++) {
              machine.perform(generator.next());
            }
            machine.end();
          }
        });
  }

  private static String playScenes() {
    return ruleBroken(
        () -> {
          for (PolicyScenes.Scene scene : PolicyScenes.Scene.values()) {
            PolicyScenes.play(scene, true);
            PolicyScenes.play(scene, false);
          }
        });
  }

  private static String ruleBroken(Runnable run) {
    try {
      run.run();
      return "";
    } catch (Violation violation) {
      return violation.rule();
    } catch (RuntimeException e) {
      return "an engine that ends: " + e;
    }
  }
}
