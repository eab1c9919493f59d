package io.entroq.perf.peers.run;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The plan of a run.
 *
 * @param replicas copies of each task; no run mixes different numbers
 * @param peers in the order of tables
 * @param rounds measurements of each peer, class and shape
 * @param timing of each measurement
 * @param firstWarmUp how long each shape of a peer runs at most before its first measurement, so
 *     that JVMs on both sides compile their code
 * @param directory for the files of the peers; on a disk, not in memory
 */
public record Plan(
    int replicas,
    List<Peer> peers,
    List<DurabilityClass> durabilities,
    List<Shape> shapes,
    int rounds,
    Timing timing,
    Duration firstWarmUp,
    Path directory) {
  /** The peers that support a class. */
  public List<Peer> peersOf(DurabilityClass durability) {
    return peers.stream().filter(peer -> peer.durabilities().contains(durability)).toList();
  }

  public int measurements() {
    return durabilities.stream().mapToInt(durability -> peersOf(durability).size()).sum()
        * shapes.size()
        * rounds;
  }
}
