package io.entroq.console.screen;

import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.SnapshotOfMember;
import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.SupportedLevels;
import io.entroq.console.action.ActionOutcome;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.read.Reads;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.view.Part.Fact;
import io.entroq.console.view.Part.Tone;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** The members of the cluster, as the one knows them that answers. */
final class ClusterScreen implements Screen {
  private static final long BYTES_UNIT = 1_024;

  @Override
  public Page show(Visit visit) {
    List<Part> parts = new ArrayList<>(ActionOutcome.notes(visit));
    if (visit.isPast()) {
      return page(
          List.of(
              Part.Note.of(
                  Tone.NOTE,
                  "Nothing of this page can be shown as of then: which members there were, and how"
                      + " they were, is not kept in the log of the queue.")));
    }
    try {
      StatusResponse status = Reads.answer(visit.admin().status(visit.user()));
      addMember(parts, status);
      if (visit.may(Role.ADMIN)) {
        parts.add(
            new Part.Links(
                "What you can do",
                List.of(new Link("Take a snapshot", Places.action("snapshot")))));
      }
    } catch (CallFailedException e) {
      parts.add(
          Part.Note.of(tone(e), "There is no cluster to show: " + e.refusal().message() + "."));
    }
    parts.addAll(Parts.orWhyNot("The behavior level", () -> levels(visit)));
    return page(parts);
  }

  private static Page page(List<Part> parts) {
    return new Page(
        "Cluster",
        "The state of the member that answers you, and what it knows of the others.",
        PageUrls.to("/cluster"),
        parts);
  }

  private static Tone tone(CallFailedException failure) {
    return failure.refusal().code() == Status.Code.FAILED_PRECONDITION ? Tone.NOTE : Tone.PROBLEM;
  }

  private static void addMember(List<Part> parts, StatusResponse status) {
    if (status.getLeaderId() < 0) {
      parts.add(
          Part.Note.of(
              Tone.PROBLEM,
              "This member knows no leader: nothing can be changed until one is elected."));
    }
    if (status.getDisagreements() > 0) {
      parts.add(
          Part.Note.of(
              Tone.PROBLEM,
              "Members had different states at %,d snapshots. Do not ignore this: see the runbook."
                  .formatted(status.getDisagreements())));
    }
    List<List<Cell>> rows = new ArrayList<>();
    for (int i = 0; i < status.getMembersCount(); i++) {
      rows.add(
          List.of(
              Cell.of(i),
              Cell.of(status.getMembers(i)),
              Cell.of(role(status, i)),
              Cell.of(
                  status.getMembersBehindList().contains(i) ? "Too far behind; replace it" : "")));
    }
    parts.add(
        new Part.Table(
            "Members",
            List.of(
                Column.number("Member"),
                Column.of("Address"),
                Column.of("Role"),
                Column.of("State")),
            rows,
            "No members are known."));
    parts.add(new Part.Facts("This member", facts(status)));
  }

  private static String role(StatusResponse status, int member) {
    String role = status.getLeaderId() == member ? "Leader" : "Follower";
    return status.getMemberId() == member ? role + ", answers you" : role;
  }

  private static List<Fact> facts(StatusResponse status) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("Role", Cell.of(status.getRole().toLowerCase(Locale.ROOT))));
    facts.add(new Fact("Leadership term", Cell.of(status.getTerm())));
    facts.add(
        new Fact(
            "Behind the log of the cluster by",
            Cell.of(bytes(Math.max(0, status.getCommitPosition() - status.getAppliedPosition())))));
    facts.add(new Fact("Last applied record", Cell.of(status.getAppliedSequence())));
    facts.add(new Fact("Before it acknowledges, data is", Cell.of(status.getDurability())));
    facts.add(
        new Fact(
            "Free on its disk",
            Cell.of(bytes(status.getDiskFreeBytes())).noted("of " + bytes(status.getDiskBytes()))));
    facts.add(
        new Fact(
            "Log on its disk",
            Cell.of(bytes(status.getLogBytesHeld()))
                .noted(bytes(status.getLogBytesSince()) + " since the newest snapshot")));
    if (status.hasSnapshot()) {
      SnapshotOfMember snapshot = status.getSnapshot();
      facts.add(
          new Fact(
              "Age of the newest snapshot",
              Cell.of(TimeText.duration(snapshot.getAgeMs())).noted(bytes(snapshot.getBytes()))));
    }
    if (status.hasState()) {
      StateOfMember state = status.getState();
      facts.add(new Fact("Behavior level", Cell.of(state.getLevel())));
      facts.add(
          new Fact(
              "Digest of its content",
              Cell.of(HexFormat.of().toHexDigits(state.getContentDigest()))
                  .noted("after record %,d".formatted(state.getSequence()))));
    }
    return facts;
  }

  /** A size in the largest unit of which it has one. */
  static String bytes(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= BYTES_UNIT && unit < 4) {
      size /= BYTES_UNIT;
      unit++;
    }
    String name = List.of("bytes", "KiB", "MiB", "GiB", "TiB").get(unit);
    return unit == 0 ? bytes + " bytes" : String.format(Locale.ROOT, "%.1f %s", size, name);
  }

  private static List<Part> levels(Visit visit) {
    LevelResponse level = Reads.answer(visit.admin().level(visit.user()));
    List<List<Cell>> rows = new ArrayList<>();
    for (SupportedLevels supported : level.getSupportedList()) {
      rows.add(
          List.of(
              Cell.of(supported.getMemberId()),
              Cell.of(supported.getMin()),
              Cell.of(supported.getMax())));
    }
    return List.of(
        new Part.Table(
            "Behavior level %d".formatted(level.getLevel()),
            List.of(
                Column.number("Member"),
                Column.number("Supports from"),
                Column.number("Supports to")),
            rows,
            "No member has answered."));
  }
}
