package io.entroq.perf.peers.redis;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import io.entroq.perf.peers.process.InstalledPrograms;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A Redis stream with a consumer group; each caller is a consumer with its own connection. */
public final class RedisPeer extends Peer {
  static final String PROGRAM = "redis-server";

  public RedisPeer() {
    super("redis", "Redis", EnumSet.allOf(DurabilityClass.class));
  }

  @Override
  public Optional<String> absence() {
    return InstalledPrograms.absence(PROGRAM);
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    Map<String, String> server = new LinkedHashMap<>();
    server.put("save", "\"\"");
    server.put("appendonly", durability == DurabilityClass.MEMORY ? "no" : "yes");
    if (durability != DurabilityClass.MEMORY) {
      server.put("appendfsync", durability == DurabilityClass.DISK ? "always" : "no");
      server.put("auto-aof-rewrite-percentage", "0");
    }
    server.put("stream-node-max-entries", "100");
    return new Settings(
        switch (durability) {
          case MEMORY -> "nothing is written";
          case OS -> "written to the append-only file before the reply, never forced";
          case DISK ->
              "the append-only file is forced before the reply, pipelined commands together";
        },
        server,
        Map.of("client", "Jedis, a connection for each caller, RESP2"),
        "XADD (a batch pipelined); XREADGROUP COUNT n BLOCK 200 STREAMS s >; XACK and XDEL of n, in"
            + " one pipeline");
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws Exception {
    return RedisServer.start(settings(durability).server(), directory);
  }
}
