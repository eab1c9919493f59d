package io.entroq.simulator.golden;

import io.entroq.engine.state.Levels;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes the golden log of the current behavior level, if it has none yet. The README beside the
 * logs explains when and how.
 */
public final class GoldenLogWriter {
  private GoldenLogWriter() {}

  /**
   * Writes it.
   *
   * @param arguments the folder of the test resources
   * @throws IOException if the level has a log, or the files cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("usage: GoldenLogWriter <folder of the test resources>");
      System.exit(2);
    }
    write(Path.of(arguments[0]));
  }

  static void write(Path resources) throws IOException {
    Path folder = resources.resolve(GoldenLog.folder(Levels.MAX));
    GoldenLog.replayed(GoldenWorkload.records()).write(folder);
  }
}
