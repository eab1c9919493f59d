package io.entroq.perf.replicated;

import io.entroq.perf.process.JavaProcess;
import java.io.IOException;
import java.util.List;

/** A process that keeps processors busy. It exits when its input ends. */
final class BusyLoops {
  private BusyLoops() {}

  /**
   * Starts the process.
   *
   * @param count number of threads that never rest
   */
  static JavaProcess start(int count) throws IOException {
    JavaProcess process =
        new JavaProcess(
            JavaProcess.CLASS_PATH,
            List.of("-Xmx16m", "-XX:+UseSerialGC"),
            BusyLoops.class,
            List.of(Integer.toString(count)));
    process.await("busy");
    return process;
  }

  /**
   * Runs the loops.
   *
   * @param args the number of loops
   */
  public static void main(String[] args) throws IOException {
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      Thread loop = new Thread(BusyLoops::spin, "busy-" + i);
      loop.setDaemon(true);
      loop.start();
    }
    System.out.println("busy");
    while (System.in.read() >= 0) {
      // The input only shows whether the measuring process lives.
    }
    Runtime.getRuntime().halt(0);
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }
}
