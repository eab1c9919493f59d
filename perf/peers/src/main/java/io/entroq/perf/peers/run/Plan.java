package io.entroq.perf.peers.run;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a run measures.
 *
 * @param peers in the order of tables
 * @param rounds how often each is measured
 * @param timing of each measurement
 * @param firstWarmUp how long each shape of a peer runs before its first measurement, so that the
 *     JVMs on both sides have compiled what it takes
 * @param directory for the files of the peers; on a real disk, since it is forced
 */
public record Plan(
    List<Peer> peers,
    List<DurabilityClass> durabilities,
    List<Shape> shapes,
    int rounds,
    Timing timing,
    Duration firstWarmUp,
    Path directory) {
  /** The peers that have a class. */
  public List<Peer> peersOf(DurabilityClass durability) {
    return peers.stream().filter(peer -> peer.durabilities().contains(durability)).toList();
  }

  /** How many measurements there are. */
  public int measurements() {
    return durabilities.stream().mapToInt(durability -> peersOf(durability).size()).sum()
        * shapes.size()
        * rounds;
  }
}
