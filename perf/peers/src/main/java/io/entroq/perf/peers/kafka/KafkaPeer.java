package io.entroq.perf.peers.kafka;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Kafka nodes, each a broker and controller in a JVM of its own, with a topic of one partition and
 * a share group that each caller is a member of.
 */
public final class KafkaPeer extends Peer {
  private static final String HOUR_MS = "3600000";

  private final KafkaGroups groups;
  private final int replicas;

  /**
   * @param replicas nodes, each with a copy of every topic
   */
  public KafkaPeer(int replicas) {
    this("Kafka", KafkaGroups.SHARE, replicas);
  }

  /**
   * @param name in tables
   * @param groups those that topics have
   * @param replicas nodes, each with a copy of every topic
   */
  public KafkaPeer(String name, KafkaGroups groups, int replicas) {
    // It always has a log.
    super("kafka", name, EnumSet.of(DurabilityClass.OS, DurabilityClass.DISK));
    this.groups = groups;
    this.replicas = replicas;
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    Map<String, String> client = new LinkedHashMap<>();
    client.put("acks", "all");
    client.put(KafkaQueue.LINGER, "0 of one task, 5 of a batch, which is flushed");
    client.put("batch.size", "65536");
    client.put("producers", "1 for all callers of one task, of a batch 1 for each");
    client.put("share.acknowledgement.mode", "explicit");
    client.put(KafkaQueue.ACQUIRE_MODE, "record_limit of one task, batch_optimized of a batch");
    client.put("max.poll.records", "tasks a step");
    client.put("share.auto.offset.reset", "earliest");
    return new Settings(
        (durability == DurabilityClass.DISK
                ? "each append is forced, those of the group's state too; who has acquired what is"
                    + " not stored"
                : "written to the logs of topic and group's state, forced by the system when it"
                    + " likes")
            + (replicas == 1 ? "" : "; by all replicas that are in sync"),
        server(durability),
        client,
        "send (and of a batch flush) and wait for all; poll; acknowledge and commitSync");
  }

  private Map<String, String> server(DurabilityClass durability) {
    String copies = Integer.toString(replicas);
    String majority = Integer.toString(replicas / 2 + 1);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("log.flush.interval.messages", flushInterval(durability));
    settings.put("num.partitions", "1");
    settings.put("default.replication.factor", copies);
    settings.put("min.insync.replicas", majority);
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("offsets.topic.replication.factor", copies);
    settings.put("share.coordinator.state.topic.num.partitions", "1");
    settings.put("share.coordinator.state.topic.replication.factor", copies);
    settings.put("share.coordinator.state.topic.min.isr", majority);
    settings.put("group.share.partition.max.record.locks", "10000");
    settings.put("group.share.max.partition.max.record.locks", "10000");
    // Members receive their assignment with a heartbeat.
    settings.put("group.share.min.heartbeat.interval.ms", "500");
    settings.put("group.share.heartbeat.interval.ms", "500");
    settings.put("group.share.min.assignment.interval.ms", "0");
    settings.put("group.share.assignment.interval.ms", "0");
    // Consumer groups, of topics, begin at once.
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "4");
    // Nodes are stopped between turns, and must not be considered dead afterwards.
    settings.put("broker.session.timeout.ms", HOUR_MS);
    settings.put("controller.quorum.fetch.timeout.ms", HOUR_MS);
    settings.put("replica.lag.time.max.ms", HOUR_MS);
    return settings;
  }

  private static String flushInterval(DurabilityClass durability) {
    return durability == DurabilityClass.DISK ? "1" : Long.toString(Long.MAX_VALUE);
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws Exception {
    return KafkaServer.start(groups, settings(durability), replicas, directory);
  }
}
