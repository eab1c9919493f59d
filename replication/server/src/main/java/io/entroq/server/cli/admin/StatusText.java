package io.entroq.server.cli.admin;

import io.entroq.cluster.service.ClockSkew;
import io.entroq.codec.wire.published.admin.SnapshotOfMember;
import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.codec.wire.published.admin.StatusResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The status of a cluster member as human-readable text. */
final class StatusText {
  private static final int MIB = 1 << 20;

  private StatusText() {}

  /** Whether it leads or follows a leader. */
  static boolean hasLeader(StatusResponse status) {
    return status.getElection().equals("CLOSED") && status.getLeaderId() >= 0;
  }

  /** Bytes of committed log that the member has not applied. */
  static long lagBytes(StatusResponse status) {
    return Math.max(0, status.getCommitPosition() - status.getAppliedPosition());
  }

  static String role(StatusResponse status) {
    if (!hasLeader(status)) {
      return "has no leader";
    }
    return status.getRole().equals("LEADER") ? "leads" : "follows " + status.getLeaderId();
  }

  static String clusterId(StateOfMember state) {
    return "%016x%016x".formatted(state.getClusterIdHigh(), state.getClusterIdLow());
  }

  /** The digest of the state, which is the same on all members at the same sequence. */
  static String digest(StatusResponse status) {
    return status.hasState() ? "%016x".formatted(status.getState().getContentDigest()) : "unknown";
  }

  static String snapshot(StatusResponse status) {
    if (!status.hasSnapshot()) {
      return "none yet";
    }
    SnapshotOfMember snapshot = status.getSnapshot();
    String details =
        snapshot.getBytes() == 0
            ? ""
            : ", %,d bytes, commands waited %,d ms"
                .formatted(snapshot.getBytes(), snapshot.getPauseMs());
    return "at %,d, %,d s old%s"
        .formatted(snapshot.getPosition(), snapshot.getAgeMs() / 1_000, details);
  }

  static String level(StatusResponse status) {
    return status.hasState() ? Integer.toString(status.getState().getLevel()) : "unknown";
  }

  /** What is wrong with the leader's clock or this member's; empty if they agree. */
  static Optional<String> clock(StatusResponse status) {
    long aheadMs = status.getLeaderAheadMs();
    return Math.abs(aheadMs) < ClockSkew.LIMIT_MS
        ? Optional.empty()
        : Optional.of(
            "the clock of member %d, the leader, is %,d s %s that of member %d"
                .formatted(
                    status.getLeaderId(),
                    Math.abs(aheadMs) / 1_000,
                    aheadMs > 0 ? "ahead of" : "behind",
                    status.getMemberId()));
  }

  /** The behavior levels that the build supports. */
  static String supported(StatusResponse status) {
    return status.getLevelMax() == 0
        ? "unknown"
        : "levels %d to %d".formatted(status.getLevelMin(), status.getLevelMax());
  }

  static List<String> lines(StatusResponse status) {
    List<String> lines = new ArrayList<>();
    lines.add("member      %d of %d".formatted(status.getMemberId(), status.getMembersCount()));
    lines.add("role        %s, term %d".formatted(role(status), status.getTerm()));
    lines.add(
        "log         committed to %,d, applied to %,d (%,d behind)"
            .formatted(status.getCommitPosition(), status.getAppliedPosition(), lagBytes(status)));
    lines.add("durability  " + status.getDurability());
    lines.add(
        "log kept    %,d MiB, %,d MiB of it since the newest snapshot"
            .formatted(status.getLogBytesHeld() / MIB, status.getLogBytesSince() / MIB));
    lines.add("snapshot    " + snapshot(status));
    lines.add(
        "disk        %,d of %,d MiB free"
            .formatted(status.getDiskFreeBytes() / MIB, status.getDiskBytes() / MIB));
    if (status.getMembersBehindCount() > 0) {
      lines.add("ALARM       replace members " + status.getMembersBehindList());
    }
    clock(status).ifPresent(text -> lines.add("ALARM       " + text));
    if (status.getDisagreements() > 0) {
      lines.add(
          "ALARM       members disagreed in %,d snapshots".formatted(status.getDisagreements()));
    }
    if (status.hasState()) {
      StateOfMember state = status.getState();
      lines.add(
          "state       record %,d of %s, level %d"
              .formatted(
                  state.getSequence(),
                  Instant.ofEpochMilli(state.getLogTimeMs()),
                  state.getLevel()));
      lines.add(
          "digests     history %016x, content %016x"
              .formatted(state.getHistoryDigest(), state.getContentDigest()));
      lines.add("cluster     " + clusterId(state));
    } else {
      lines.add("state       none yet, or the member is busy");
    }
    lines.add("supports    " + supported(status));
    return lines;
  }
}
