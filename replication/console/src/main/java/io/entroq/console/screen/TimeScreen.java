package io.entroq.console.screen;

import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.read.Moment;
import io.entroq.console.read.Reads;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The past: what is kept of it, and what happened between two moments. */
final class TimeScreen implements Screen {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Override
  public boolean isSlow(Parameters parameters) {
    return !parameters.text("from").isBlank();
  }

  @Override
  public Page show(Visit visit) {
    List<Part> parts = new ArrayList<>();
    Reads present = visit.reads(ServiceCalls.PATIENCE);
    FeedRange range = present.range();
    long nowMs = present.timeMs();
    parts.add(kept(range));
    if (!visit.isPast()) {
      parts.add(
          TimeSlider.of("/time", visit.parameters(), range, Long.MAX_VALUE, nowMs)
              .map(Part.class::cast)
              .orElseGet(
                  () ->
                      Part.Note.of(
                          Part.Tone.NOTE,
                          "Pages show only the present: no state of the past is kept here.")));
    }
    String shown = visit.past().map(past -> Long.toString(past.sequence())).orElse("");
    String from = visit.text("from").strip();
    String to = visit.text("to").strip();
    if (!from.isEmpty()) {
      parts.addAll(
          Parts.orWhyNot("The difference", () -> difference(visit, range, nowMs, from, to)));
    }
    parts.add(
        new Part.Form(
            "What happened between two moments",
            "A moment is the number of a record, or a time in UTC such as 2026-01-01T08:00.",
            false,
            PageUrls.to("/time"),
            List.of(
                // What happened since the moment that is shown is the next question.
                Field.line("from", "From", from.isEmpty() ? shown : from, ""),
                Field.line("to", "To", to, "Leave it empty for now.")),
            "Show",
            List.of()));
    String last = begin(from, range);
    parts.add(
        new Part.Code(
            "Look at the past on the command line",
            "On a machine with the data directory. The first line shows queues as they were; the"
                + " second makes a directory with the state of then, to try things out.",
            """
            entroq at --time %1$s --data DIR stats
            entroq branch --at %1$s --data DIR try-out\
            """
                .formatted(shown.isEmpty() ? last : shown)));
    return new Page("Time", "What the server still knows of the past.", "", parts);
  }

  /** As commands take it; what is no moment is not repeated in a line to copy. */
  private static String begin(String from, FeedRange range) {
    String last = Long.toString(range.getLastSequence());
    try {
      return from.isEmpty() ? last : Moment.of(from, "From").text();
    } catch (PageException e) {
      return last;
    }
  }

  /** What is kept of the past, as a sentence. */
  static Part kept(FeedRange range) {
    if (range.getLastSequence() < range.getFirstSequence()) {
      return Part.Note.of(
          Part.Tone.NOTE,
          "Nothing of the past is kept yet: the server remembers what happens from now on.");
    }
    String since =
        range.getFirstTimeMs() == 0 ? "" : ", since " + TimeText.at(range.getFirstTimeMs());
    return Part.Note.of(
        Part.Tone.NOTE,
        "Records %,d to %,d of the log are kept%s."
            .formatted(range.getFirstSequence(), range.getLastSequence(), since));
  }

  private static List<Part> difference(
      Visit visit, FeedRange range, long nowMs, String from, String to) {
    Moment begin = Moment.of(from, "From");
    Moment end = to.isEmpty() ? new Moment(range.getLastSequence(), 0) : Moment.of(to, "To");
    TailRequest.Builder request = TailRequest.newBuilder();
    if (end.isTime() && end.timeMs() < nowMs) {
      request.setUntilTimeMs(end.timeMs());
    } else {
      long last = end.isTime() ? Long.MAX_VALUE : end.sequence();
      request.setUntil(Long.toString(Math.min(last, range.getLastSequence())));
    }
    TaskDifferences differences = new TaskDifferences(begin.isTime() ? begin.timeMs() : 0);
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
      return read(visit, request.setPosition(Long.toString(begin.sequence())), differences);
    }
    try {
      return read(visit, request.setTimeMs(begin.timeMs()), differences);
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
