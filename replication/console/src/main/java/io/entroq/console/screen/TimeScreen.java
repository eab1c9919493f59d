package io.entroq.console.screen;

import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Field;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Parameters;
import io.entroq.service.call.Method;
import io.grpc.Status;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** The past: what is kept of it, and what happened between two moments. */
final class TimeScreen implements Screen {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A moment: a record of the log or a time. */
  private record Moment(long sequence, long timeMs) {
    boolean isTime() {
      return sequence < 0;
    }

    static Moment of(String text, String what) {
      try {
        return text.matches("\\d{1,18}")
            ? new Moment(Long.parseLong(text), 0)
            : new Moment(-1, timeMs(text));
      } catch (DateTimeException | ArithmeticException e) {
        throw PageException.invalid(
            what + ": expected the number of a record, or a time such as 2026-01-01T08:00.");
      }
    }

    private static long timeMs(String text) {
      return text.endsWith("Z")
          ? Instant.parse(text).toEpochMilli()
          : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC).toEpochMilli();
    }
  }

  @Override
  public boolean isSlow(Parameters parameters) {
    return !parameters.text("from").isBlank();
  }

  @Override
  public Page show(Visit visit) {
    List<Part> parts = new ArrayList<>();
    FeedRange range = visit.reads().range();
    boolean isEmpty = range.getLastSequence() < range.getFirstSequence();
    parts.add(
        Part.Note.of(
            Part.Tone.NOTE,
            isEmpty
                ? "Nothing of the past is kept yet: the server remembers what happens from now on."
                : "Records %,d to %,d of the log are kept, the last of %s."
                    .formatted(
                        range.getFirstSequence(),
                        range.getLastSequence(),
                        TimeText.at(visit.reads().timeMs()))));
    String from = visit.text("from").strip();
    String to = visit.text("to").strip();
    if (!from.isEmpty()) {
      parts.addAll(Parts.orWhyNot("The difference", () -> difference(visit, range, from, to)));
    }
    parts.add(
        new Part.Form(
            "What happened between two moments",
            "A moment is the number of a record, or a time in UTC such as 2026-01-01T08:00.",
            false,
            PageUrls.to("/time"),
            List.of(
                Field.line("from", "From", from, ""),
                Field.line("to", "To", to, "Leave it empty for now.")),
            "Show",
            List.of()));
    parts.add(
        new Part.Code(
            "Look at the past on the command line",
            "On a machine with the data directory. The first line shows queues as they were; the"
                + " second makes a directory with the state of then, to try things out.",
            """
            entroq at --time %1$s --data DIR stats
            entroq branch --at %1$s --data DIR try-out\
            """
                .formatted(from.isEmpty() ? range.getLastSequence() : from)));
    return new Page("Time", "What the server still knows of the past.", "", parts);
  }

  private static List<Part> difference(Visit visit, FeedRange range, String from, String to) {
    Moment begin = Moment.of(from, "From");
    Moment end = to.isEmpty() ? new Moment(range.getLastSequence(), 0) : Moment.of(to, "To");
    TailRequest.Builder request = TailRequest.newBuilder();
    if (end.isTime() && end.timeMs < visit.reads().timeMs()) {
      request.setUntilTimeMs(end.timeMs);
    } else {
      long last = end.isTime() ? Long.MAX_VALUE : end.sequence;
      request.setUntil(Long.toString(Math.min(last, range.getLastSequence())));
    }
    TaskDifferences differences = new TaskDifferences(begin.isTime() ? begin.timeMs : 0);
    boolean isComplete = read(visit, range, begin, request, differences);
    List<Part> parts = new ArrayList<>();
    if (!isComplete) {
      parts.add(
          Part.Note.of(
              Part.Tone.PROBLEM,
              "Only the first %,d effects were read. Choose moments that are closer."
                  .formatted(differences.read())));
    }
    parts.add(differences.table());
    return parts;
  }

  /** Returns whether all was read. */
  private static boolean read(
      Visit visit,
      FeedRange range,
      Moment begin,
      TailRequest.Builder request,
      TaskDifferences differences) {
    if (!begin.isTime()) {
      return read(visit, request.setPosition(Long.toString(begin.sequence)), differences);
    }
    try {
      return read(visit, request.setTimeMs(begin.timeMs), differences);
    } catch (CallFailedException e) {
      if (e.refusal().code() != Status.Code.OUT_OF_RANGE) {
        throw e;
      }
      // Times before the first record, and queues in memory, which know none.
      return read(
          visit, request.setPosition(Long.toString(range.getFirstSequence() - 1)), differences);
    }
  }

  private static boolean read(
      Visit visit, TailRequest.Builder request, TaskDifferences differences) {
    return visit.reads(PATIENCE).each(Method.TAIL, request.build(), differences::add);
  }
}
