package io.entroq.server.local;

import io.entroq.cluster.member.MemberException;
import io.entroq.cluster.member.UnusedPorts;
import io.entroq.server.local.LocalClusterConfig.Kind;
import io.entroq.tools.terminal.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which ports members get, if they have none yet. */
final class Places {
  private static final int PORT_MAX = 65_535;

  private final LocalClusterConfig config;

  Places(LocalClusterConfig config) {
    this.config = config;
  }

  /**
   * Those that a directory has, or new ones.
   *
   * @param kept what the directory says
   * @throws CommandException if that is not what was asked for
   */
  List<MemberPlace> choose(Optional<ClusterFile> kept) {
    List<MemberPlace> places =
        kept.map(ClusterFile::places)
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

  private List<MemberPlace> any(int members) {
    try {
      return free(members, new UnusedPorts(config.host()));
    } catch (MemberException e) {
      throw new CommandException(
          "--host: " + e.getMessage() + "; choose ports with --port, --http-port and --member-port",
          e);
    }
  }

  private List<MemberPlace> free(int members, UnusedPorts free) {
    List<MemberPlace> places = new ArrayList<>();
    for (int id = 0; id < members; id++) {
      places.add(
          new MemberPlace(
              id,
              config.port(Kind.GRPC).orElseGet(() -> free.take(Kind.GRPC.count())),
              config.port(Kind.HTTP).orElseGet(() -> free.take(Kind.HTTP.count())),
              config.port(Kind.MEMBERS).orElseGet(() -> free.take(Kind.MEMBERS.count()))));
    }
    return places;
  }

  private MemberPlace asAsked(MemberPlace place) {
    return new MemberPlace(
        place.id(),
        asked(Kind.GRPC, place.id()).orElse(place.port()),
        asked(Kind.HTTP, place.id()).orElse(place.httpPort()),
        asked(Kind.MEMBERS, place.id()).orElse(place.memberPort()));
  }

  private Optional<Integer> asked(Kind kind, int id) {
    Optional<Integer> port = config.port(kind).map(first -> first + id * kind.count());
    if (port.isPresent() && port.get() + kind.count() - 1 > PORT_MAX) {
      throw new CommandException(
          "member %2$d would need a port above %1$d".formatted(PORT_MAX, id));
    }
    return port;
  }
}
