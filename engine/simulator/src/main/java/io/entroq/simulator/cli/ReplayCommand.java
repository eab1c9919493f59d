package io.entroq.simulator.cli;

import io.entroq.simulator.world.WorldConfig;
import java.io.File;

/** The command line that runs a world again. */
final class ReplayCommand {
  private static final String JAR = "engine/simulator/target/entroq-simulator.jar";

  private ReplayCommand() {}

  /** The command, for the working directory of this process. */
  static String command(WorldConfig world) {
    return command(world, System.getProperty("java.class.path"));
  }

  /**
   * The command for a class path.
   *
   * @param classPath of this process; only the jar's path if it was started from a jar
   */
  static String command(WorldConfig world, String classPath) {
    boolean isOneJar = classPath.matches("[^ " + File.pathSeparator + "]*[.]jar");
    return "java -jar %s %s".formatted(isOneJar ? classPath : JAR, world.flags());
  }
}
