package io.entroq.perf.peers.artemis;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioContext;

/**
 * An ActiveMQ Artemis broker in this process, with its journal, and the core client over its
 * in-process transport.
 */
public final class ArtemisPeer extends Peer {
  public ArtemisPeer() {
    super("artemis", "Artemis", EnumSet.allOf(DurabilityClass.class));
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    Map<String, String> server = new LinkedHashMap<>();
    server.put("persistence-enabled", Boolean.toString(durability != DurabilityClass.MEMORY));
    if (durability != DurabilityClass.MEMORY) {
      server.put("journal-type", journal(durability).name());
      server.put("journal-datasync", Boolean.toString(durability == DurabilityClass.DISK));
      server.put(
          "journal-buffer-timeout",
          durability == DurabilityClass.DISK ? "time of a forced write, measured" : "0");
      server.put("journal-pool-files", "20");
    }
    server.put("security-enabled", "false");
    server.put("max-size-bytes", "-1");
    Map<String, String> client = new LinkedHashMap<>();
    client.put("transport", "in-process, a connection for each caller");
    client.put("blockOn(Non)DurableSend", "true of one task; of a batch its commit blocks");
    client.put("blockOnAcknowledge", "as sends");
    client.put("ackBatchSize", "0 of one task, else default");
    client.put("consumerWindowSize", "4096 in sync32, else default");
    return new Settings(
        switch (durability) {
          case MEMORY -> "messages are not durable, the broker has no journal";
          case OS -> "in the mapped journal, and so in the page cache";
          case DISK -> "the journal is forced, many records together";
        },
        server,
        client,
        "of one task: send; receive; acknowledge, each blocking. Of a batch: send and commit of a"
            + " transaction; receive; acknowledge and commit of a transaction");
  }

  /** As its documentation recommends: mapped without forces, else asynchronous if available. */
  static JournalType journal(DurabilityClass durability) {
    if (durability == DurabilityClass.OS) {
      return JournalType.MAPPED;
    }
    return LibaioContext.isLoaded() ? JournalType.ASYNCIO : JournalType.NIO;
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws Exception {
    return ArtemisServer.start(durability, directory);
  }
}
