package io.entroq.server.sim;

import io.entroq.simulator.world.WorldConfig;

/** How to run a world once more. */
final class Replay {
  private static final String JAR = "entroq.jar";

  private Replay() {}

  /** The command, as it works in the folder that this process was started in. */
  static String command(WorldConfig world) {
    return command(world, System.getProperty("java.class.path"));
  }

  /**
   * The same.
   *
   * @param classPath of a process; of one that was started from a jar nothing but its path
   */
  static String command(WorldConfig world, String classPath) {
    boolean isPlain = classPath.endsWith(JAR) && classPath.indexOf(' ') < 0;
    return "java -jar " + (isPlain ? classPath : JAR) + " sim " + world.flags();
  }
}
