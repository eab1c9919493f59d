package io.entroq.perf.peers;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** Members of EntroQ for the JVM in processes, and a client over gRPC. */
public final class EntroQClusterPeer extends Peer {
  private final int members;

  public EntroQClusterPeer(int members) {
    super("entroq", "EntroQ", EnumSet.of(DurabilityClass.OS, DurabilityClass.DISK));
    this.members = members;
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    Map<String, String> server = new LinkedHashMap<>();
    server.put("durability", durability.toString());
    // Members are stopped between turns, and must not take that for a fault.
    server.put("process-timeout", "24h");
    return new Settings(
        durability == DurabilityClass.DISK
            ? "forced by a majority, many commands to one force"
            : "in the page cache of a majority",
        server,
        Map.of("client", "one for all callers"),
        "modify(insert of n); claim of up to n under a lease; modify(delete of n)");
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws Exception {
    return EntroQCluster.start(settings(durability).server(), members, directory);
  }
}
