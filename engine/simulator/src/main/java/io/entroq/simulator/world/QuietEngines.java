package io.entroq.simulator.world;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Silences the engines' loggers in this JVM for a while: their messages about injected faults would
 * fill a disk. Only for a JVM that runs nothing else.
 */
public final class QuietEngines {
  private QuietEngines() {}

  /** Runs an action while the engines log nothing. */
  public static <T> T during(Supplier<T> action) {
    Logger engines = Logger.getLogger("io.entroq.engine");
    Level before = engines.getLevel();
    engines.setLevel(Level.OFF);
    try {
      return action.get();
    } finally {
      engines.setLevel(before);
    }
  }
}
