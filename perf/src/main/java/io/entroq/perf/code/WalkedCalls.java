package io.entroq.perf.code;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.cli.Main;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that {@link CallWalk} debugs. It warms a queue up, then makes calls between {@link
 * #begin} and {@link #end}. It uses only public interfaces, so that it also runs with older builds.
 */
final class WalkedCalls {
  /** The calls of a walk, in order. */
  static final List<String> CALLS = List.of("Modify, insert", "Claim", "Modify, delete");

  static final String BEGIN = "begin";
  static final String END = "end";

  private static final String QUEUE = "inbox";
  private static final int WARM_UP_CYCLES = 5_000;
  private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long START_NS_MAX = TimeUnit.MINUTES.toNanos(1);

  private final EntroQ queue;
  private final Claim claim = Claim.from(QUEUE).withLease(Duration.ofMinutes(10));

  private WalkedCalls(EntroQ queue) {
    this.queue = queue;
  }

  /**
   * Makes the calls.
   *
   * @param args {@code embedded} or {@code grpc}, an empty directory, and the number of walks
   */
  public static void main(String[] args) throws Exception {
    Path data = Path.of(args[1]);
    int walks = Integer.parseInt(args[2]);
    if (args[0].equals("embedded")) {
      try (EntroQ queue = EmbeddedEntroQ.open(data)) {
        new WalkedCalls(queue).run(walks);
      }
    } else {
      try (EntroQ queue = serve(data)) {
        new WalkedCalls(queue).run(walks);
      }
    }
    // The server has threads that would keep the process alive.
    Runtime.getRuntime().halt(0);
  }

  /** Starts a server in this process by its command line, and connects to it. */
  private static EntroQ serve(Path data) throws IOException, InterruptedException {
    int port = freePort();
    List<String> args =
        List.of(
            "serve",
            "--data",
            data.toString(),
            "--port",
            "" + port,
            "--http-port",
            "0",
            "--durability",
            "os");
    Thread server = new Thread(() -> Main.main(args.toArray(String[]::new)), "server");
    server.setDaemon(true);
    server.start();
    long startNs = System.nanoTime();
    while (true) {
      try {
        return EntroQ.connect("localhost:" + port);
      } catch (EntroQException e) {
        if (System.nanoTime() - startNs > START_NS_MAX) {
          throw e;
        }
        Thread.sleep(50);
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void run(int walks) {
    for (int i = 0; i < WARM_UP_CYCLES; i++) {
      insert();
      delete(queue.tryClaim(claim).orElseThrow());
    }
    for (int i = 0; i < walks; i++) {
      LockSupport.parkNanos(IDLE_NS);
      begin();
      insert();
      end();
      LockSupport.parkNanos(IDLE_NS);
      begin();
      Task task = queue.tryClaim(claim).orElseThrow();
      end();
      LockSupport.parkNanos(IDLE_NS);
      begin();
      delete(task);
      end();
    }
  }

  private void insert() {
    queue.modify(Modification.insert(QUEUE, "a value")).orThrow();
  }

  private void delete(Task task) {
    queue.modify(Modification.delete(task)).orThrow();
  }

  /** The debugger starts to count when this is entered. */
  private static void begin() {}

  /** The debugger stops counting when this is entered. */
  private static void end() {}
}
