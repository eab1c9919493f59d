package io.entroq.perf.peers.peer;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A system that hands tasks to workers, as its users would run it on one machine. */
public interface Peer {
  /** As options name it: lower case. */
  String id();

  /** As tables name it. */
  String name();

  /** Why it cannot be measured on this machine; empty if it can. */
  default Optional<String> absence() {
    return Optional.empty();
  }

  /** What it can really be set up for. */
  Set<DurabilityClass> durabilities();

  /** How it is set up and what a cycle asks of it: the values that {@link #start} uses. */
  Settings settings(DurabilityClass durability);

  /**
   * Starts it, with nothing in it.
   *
   * @param directory for its files; empty, and removed by the caller after the server is closed
   * @throws Exception if it does not start; the message says why
   */
  Server start(DurabilityClass durability, Path directory) throws Exception;
}
