package io.entroq.system.load;

import io.entroq.api.EntroQ;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/** The process of a worker that a test kills. It exits when its input closes. */
public final class ClientMain {
  private ClientMain() {}

  /**
   * Works until it is killed.
   *
   * @param args the file of the history; the name of the caller; the seed; the call timeout and the
   *     longest lease in milliseconds; servers
   */
  public static void main(String[] args) throws Exception {
    Thread watch = new Thread(ClientMain::endWithInput, "input");
    watch.setDaemon(true);
    watch.start();
    Duration callTimeout = Duration.ofMillis(Long.parseLong(args[3]));
    String[] servers = Arrays.copyOfRange(args, 5, args.length);
    ClientConfig config =
        ClientConfig.to(servers).connectTimeout(callTimeout).callTimeout(callTimeout).build();
    try (HistoryRecorder recorder = HistoryRecorder.to(Path.of(args[0]));
        EntroQ queue = EntroQClient.connect(config)) {
      Caller caller = new Caller(args[1], queue, recorder, callTimeout.multipliedBy(2));
      Duration leaseMax = Duration.ofMillis(Long.parseLong(args[4]));
      new Worker(caller, Long.parseLong(args[2]), Duration.ofMillis(5), leaseMax).run();
    }
  }

  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {
        // Only the end matters.
      }
    } catch (IOException e) {
      System.err.println("Lost the input: " + e);
    }
    Runtime.getRuntime().halt(2);
  }
}
