package io.entroq.system.load;

import io.entroq.api.EntroQ;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/** The process of a worker, to be killed with whatever it has under way. It ends with its input. */
public final class ClientMain {
  private ClientMain() {}

  /**
   * Works until it is killed.
   *
   * @param args where to take down what is asked and told; the name of the caller; the seed; how
   *     long a call is tried for and the longest lease, in milliseconds; servers
   */
  public static void main(String[] args) throws Exception {
    Thread watch = new Thread(ClientMain::endWithInput, "input");
    watch.setDaemon(true);
    watch.start();
    Duration callTimeout = Duration.ofMillis(Long.parseLong(args[3]));
    String[] servers = Arrays.copyOfRange(args, 5, args.length);
    ClientConfig config =
        ClientConfig.to(servers).connectTimeout(callTimeout).callTimeout(callTimeout).build();
    try (Recorder recorder = Recorder.to(Path.of(args[0]));
        EntroQ queue = EntroQClient.connect(config)) {
      Caller caller = new Caller(args[1], queue, recorder, callTimeout.multipliedBy(2));
      Duration leaseMax = Duration.ofMillis(Long.parseLong(args[4]));
      new Worker(caller, Long.parseLong(args[2]), Duration.ofMillis(5), leaseMax).run();
    }
  }

  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {
        // There is nothing to be told.
      }
    } catch (IOException e) {
      System.err.println("The input is gone: " + e);
    }
    Runtime.getRuntime().halt(2);
  }
}
