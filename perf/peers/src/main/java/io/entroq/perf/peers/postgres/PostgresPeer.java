package io.entroq.perf.peers.postgres;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * PostgreSQL with {@code FOR UPDATE SKIP LOCKED}. A claim deletes rows in a transaction that stays
 * open until the commit. Of the usual ways this writes least; claimed tasks become available again
 * when the claimant's connection ends.
 */
public final class PostgresPeer extends Peer {
  public PostgresPeer() {
    super("postgres", "PostgreSQL", EnumSet.allOf(DurabilityClass.class));
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    return new Settings(
        switch (durability) {
          case MEMORY -> "an unlogged table; a crash empties it";
          case OS ->
              "forced by a background process within 0.6 s; weaker than the class in that a crash of"
                  + " the server, too, loses what was committed since";
          case DISK -> "a commit is forced, concurrent ones together";
        },
        server(durability),
        Map.of("prepareThreshold", "1", "binaryTransfer", "true"),
        "each statement prepared, each insert one transaction: "
            + PostgresQueue.INSERT.formatted("task")
            + "; then one transaction for claim and commit: "
            + PostgresQueue.CLAIM.formatted("task")
            + "; COMMIT");
  }

  private static Map<String, String> server(DurabilityClass durability) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("fsync", durability == DurabilityClass.MEMORY ? "off" : "on");
    settings.put("synchronous_commit", durability == DurabilityClass.DISK ? "on" : "off");
    settings.put("wal_level", "minimal");
    settings.put("max_wal_senders", "0");
    settings.put("shared_buffers", "512MB");
    settings.put("wal_buffers", "16MB");
    settings.put("max_wal_size", "4GB");
    settings.put("checkpoint_timeout", "30min");
    settings.put("max_connections", "64");
    settings.put("autovacuum_naptime", "1s");
    settings.put("autovacuum_vacuum_cost_delay", "0");
    settings.put("jit", "off");
    // A plan made for an empty table would scan the whole table.
    settings.put("enable_seqscan", "off");
    return settings;
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws Exception {
    return PostgresServer.start(durability, settings(durability), directory);
  }
}
