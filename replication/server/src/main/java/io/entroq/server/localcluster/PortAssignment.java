package io.entroq.server.localcluster;

import io.entroq.cluster.member.MemberException;
import io.entroq.cluster.member.UnusedPorts;
import io.entroq.server.localcluster.LocalClusterConfig.PortUse;
import io.entroq.tools.terminal.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which ports members get, if they have none yet. */
final class PortAssignment {
  private static final int PORT_MAX = 65_535;

  private final LocalClusterConfig config;

  PortAssignment(LocalClusterConfig config) {
    this.config = config;
  }

  /**
   * Those that a directory has, or new ones.
   *
   * @param kept what the directory says
   * @throws CommandException if that is not what was asked for
   */
  List<MemberPorts> choose(Optional<ClusterFile> kept) {
    List<MemberPorts> places =
        kept.map(ClusterFile::members)
            .orElseGet(() -> any(config.members().orElse(LocalClusterConfig.MEMBERS_DEFAULT)));
    config
        .members()
        .ifPresent(
            members -> {
              if (members != places.size()) {
                throw new CommandException(
                    "--members: the cluster in %s has %d members; this cannot be changed"
                        .formatted(config.directory(), places.size()));
              }
            });
    // Ports may be changed, as all members are told of it.
    return places.stream().map(this::asAsked).toList();
  }

  private List<MemberPorts> any(int members) {
    try {
      return free(members, new UnusedPorts(config.host()));
    } catch (MemberException e) {
      throw new CommandException(
          "--host: " + e.getMessage() + "; choose ports with --port, --http-port and --member-port",
          e);
    }
  }

  private List<MemberPorts> free(int members, UnusedPorts free) {
    List<MemberPorts> places = new ArrayList<>();
    for (int id = 0; id < members; id++) {
      places.add(
          new MemberPorts(
              id,
              config.port(PortUse.GRPC).orElseGet(() -> free.take(PortUse.GRPC.count())),
              config.port(PortUse.HTTP).orElseGet(() -> free.take(PortUse.HTTP.count())),
              config.port(PortUse.MEMBERS).orElseGet(() -> free.take(PortUse.MEMBERS.count()))));
    }
    return places;
  }

  private MemberPorts asAsked(MemberPorts place) {
    return new MemberPorts(
        place.id(),
        asked(PortUse.GRPC, place.id()).orElse(place.port()),
        asked(PortUse.HTTP, place.id()).orElse(place.httpPort()),
        asked(PortUse.MEMBERS, place.id()).orElse(place.memberPort()));
  }

  private Optional<Integer> asked(PortUse kind, int id) {
    Optional<Integer> port = config.port(kind).map(first -> first + id * kind.count());
    if (port.isPresent() && port.get() + kind.count() - 1 > PORT_MAX) {
      throw new CommandException(
          "member %2$d would need a port above %1$d".formatted(PORT_MAX, id));
    }
    return port;
  }
}
