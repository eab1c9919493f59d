package io.entroq.simulator.random;

import io.entroq.engine.state.Levels;
import io.entroq.simulator.check.Violation;
import java.util.Map;
import java.util.function.Function;

/**
 * The scenes with policies, then random commands with a range of seeds that write policies, until
 * the ledger finds a violation. Now and then the state goes through an image. Takes and returns
 * texts only, so that it can be loaded by a class loader of its own.
 */
public final class RandomRun implements Function<Map<String, String>, Map<String, String>> {
  private static final int ACTIONS_PER_IMAGE = 300;

  /**
   * Runs them.
   *
   * @param terms how many {@code seeds}, and how many {@code actions} with each; {@code pools} if
   *     those without pools and topics are left out
   * @return if something was broken, the {@code invariant}, and how many seeds were {@code tried}
   */
  @Override
  public Map<String, String> apply(Map<String, String> terms) {
    String seen = playScenes();
    if (!seen.isEmpty()) {
      return Map.of("invariant", seen, "tried", "0");
    }
    int seeds = Integer.parseInt(terms.get("seeds"));
    boolean needsPools = terms.containsKey("pools");
    int tried = 0;
    for (int seed = 1; tried < seeds; seed++) {
      try (WatchedMachine machine = WatchedMachine.of(seed)) {
        CommandGenerator generator = new CommandGenerator(seed, machine);
        if (generator.hasPolicies() && (generator.hasPools() || !needsPools)) {
          tried++;
          String found = run(machine, generator, seed, Integer.parseInt(terms.get("actions")));
          if (!found.isEmpty()) {
            return Map.of("invariant", found, "tried", Integer.toString(tried));
          }
        }
      }
    }
    return Map.of();
  }

  /** The rule that is violated; empty if none is. */
  private static String run(
      WatchedMachine machine, CommandGenerator generator, long seed, int actions) {
    return ruleBroken(
        () -> {
          machine.begin(seed, Levels.MAX, generator.startMs());
          for (int i = 1; i <= actions; i++) {
            machine.perform(generator.next());
            if (i % ACTIONS_PER_IMAGE == 0) {
              machine.reload();
            }
          }
          machine.end();
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
    } catch (RuntimeException | AssertionError e) {
      return "an engine that ends: " + e;
    }
  }
}
