package io.entroq.perf.peers.nats;

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

/** NATS servers with JetStream: a stream that is a work queue, and a consumer that pulls. */
public final class NatsPeer extends Peer {
  static final String PROGRAM = "nats-server";

  private final int replicas;

  /**
   * @param replicas servers, each with a copy of every stream
   */
  public NatsPeer(int replicas) {
    super("nats", "NATS JetStream", EnumSet.of(DurabilityClass.OS, DurabilityClass.DISK));
    this.replicas = replicas;
  }

  @Override
  public Optional<String> absence() {
    return InstalledPrograms.absence(PROGRAM);
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    Map<String, String> client = new LinkedHashMap<>();
    client.put("storage", "file");
    client.put("num_replicas", Integer.toString(replicas));
    client.put("retention", "workqueue");
    client.put("ack_policy", "explicit");
    client.put("connections", "one for all callers");
    String where = replicas == 1 ? "" : " by a majority";
    return new Settings(
        durability == DurabilityClass.DISK
            ? "the log is forced" + where + ", again for each message"
            : "written" + where + ", forced every two minutes",
        Map.of("sync_interval", durability == DurabilityClass.DISK ? "always" : "2m"),
        client,
        "publish (of a batch all) and wait for all; fetch; +ACK as requests (of a batch all), and wait"
            + " for the answers");
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws Exception {
    return NatsServer.start(settings(durability).server(), replicas, directory);
  }
}
