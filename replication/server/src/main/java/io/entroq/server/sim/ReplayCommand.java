package io.entroq.server.sim;

import io.entroq.simulator.world.WorldConfig;
import java.io.File;

/** How to run a world once more. */
final class ReplayCommand {
  private static final String JAR = "entroq.jar";

  private ReplayCommand() {}

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
    boolean isOneJar = classPath.matches("[^ " + File.pathSeparator + "]*[.]jar");
    return "java -jar " + (isOneJar ? classPath : JAR) + " sim " + world.flags();
  }
}
