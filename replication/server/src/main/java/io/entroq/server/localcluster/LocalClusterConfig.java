package io.entroq.server.localcluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The configuration of a cluster on this machine.
 *
 * @param directory contains the directories of all members and the file with their ports
 * @param members number of members; empty: as in the directory, or 3 for a new one
 * @param host local address to listen on
 * @param port gRPC port of the first member, the others use the following ones; empty: any
 * @param httpPort the same for HTTP
 * @param memberPort first UDP port of the first member, each uses five in a row; empty: any
 * @param heapMiB heap of each process in MiB; tasks use as much again outside the heap
 * @param nodeOptions additional options of each member's command
 * @param patience how long members may take to stop
 * @param driverDirectory contains the media driver directory of each member; empty: the default
 */
public record LocalClusterConfig(
    Path directory,
    OptionalInt members,
    String host,
    OptionalInt port,
    OptionalInt httpPort,
    OptionalInt memberPort,
    int heapMiB,
    List<String> nodeOptions,
    Duration patience,
    Optional<Path> driverDirectory) {
  static final int MEMBERS_DEFAULT = 3;

  /** Copies {@code nodeOptions}. */
  public LocalClusterConfig {
    nodeOptions = List.copyOf(nodeOptions);
  }

  /** The requested port of the first member. */
  Optional<Integer> port(PortUse kind) {
    OptionalInt first =
        switch (kind) {
          case GRPC -> port;
          case HTTP -> httpPort;
          case MEMBERS -> memberPort;
        };
    return first.isPresent() ? Optional.of(first.getAsInt()) : Optional.empty();
  }

  /** The media driver directory of one member. */
  Optional<Path> driverDirectoryOf(int memberId) {
    return driverDirectory.map(all -> all.resolve("member-" + memberId));
  }

  /** What a port is used for. */
  enum PortUse {
    GRPC(1),
    HTTP(1),
    MEMBERS(5);

    private final int count;

    PortUse(int count) {
      this.count = count;
    }

    /** The number of consecutive ports that a member needs. */
    int count() {
      return count;
    }
  }
}
