package io.entroq.perf.peers.redis;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.process.ChildProcess;
import io.entroq.perf.peers.process.ChildServer;
import io.entroq.perf.peers.process.InstalledPrograms;
import io.entroq.perf.peers.process.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;

/** A server on a free port, and its streams. */
final class RedisServer extends ChildServer {
  static final String GROUP = "workers";

  private static final Duration START_LIMIT = Duration.ofSeconds(20);
  private static final int TIMEOUT_MS = 15_000;

  private final int port;

  private RedisServer(ChildProcess child, int port) {
    super(List.of(child));
    this.port = port;
  }

  static RedisServer start(Map<String, String> settings, Path directory) throws Exception {
    int port = Ports.free();
    List<String> command = new ArrayList<>();
    command.add(program());
    command.addAll(List.of("--bind", "127.0.0.1", "--port", Integer.toString(port)));
    command.addAll(List.of("--dir", directory.toString()));
    settings.forEach((name, value) -> command.addAll(List.of("--" + name, value)));
    ChildProcess child = ChildProcess.start("redis", directory, Map.of(), command);
    return started(
        List.of(child),
        () -> {
          child.awaitPort(START_LIMIT, port);
          return new RedisServer(child, port);
        });
  }

  private static String program() throws IOException {
    return InstalledPrograms.find(RedisPeer.PROGRAM).orElseThrow(IOException::new).toString();
  }

  @Override
  public String version() {
    try (Jedis jedis = connect()) {
      return jedis
          .info("server")
          .lines()
          .filter(line -> line.startsWith("redis_version:"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    }
  }

  private Jedis connect() {
    return new Jedis("127.0.0.1", port, TIMEOUT_MS);
  }

  @Override
  public LoadTarget createQueue(String name, Shape shape) {
    try (Jedis jedis = connect()) {
      jedis.xgroupCreate(name, GROUP, new StreamEntryID(), true);
    }
    AtomicInteger consumers = new AtomicInteger();
    return new LoadTarget() {
      @Override
      public RedisSession open(int caller) {
        return new RedisSession(connect(), name, "c" + consumers.incrementAndGet());
      }

      @Override
      public void close() {
        try (Jedis jedis = connect()) {
          jedis.del(name);
        }
      }
    };
  }
}
