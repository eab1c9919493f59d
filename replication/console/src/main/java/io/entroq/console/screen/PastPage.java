package io.entroq.console.screen;

import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.console.call.AsOf;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.read.Moment;
import io.entroq.console.read.Reads;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Past;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A page of the past, or why it cannot be shown. Single-threaded; blocks. */
final class PastPage {
  /** The server reads the state of then from a snapshot and the log. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Refusals after which the same may work soon. */
  private static final Set<Status.Code> TRANSIENT =
      Set.of(
          Status.Code.RESOURCE_EXHAUSTED, Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED);

  private final Visit visit;
  private final String path;
  private final String at;

  /**
   * @param visit of the present, whose parameters name a moment
   * @param path of the page
   */
  PastPage(Visit visit, String path) {
    this.visit = visit;
    this.path = path;
    at = visit.text(TimeSlider.AT).strip();
  }

  Shown show(Screen screen) {
    try {
      Moment moment = Moment.of(at, TimeSlider.AT);
      Visit then = visit.asOf(moment.text(), PATIENCE);
      return show(screen, then, past(moment.text(), then.past().orElseThrow()));
    } catch (PageException e) {
      return noSuchMoment(e.status(), e.getMessage(), List.of());
    } catch (CallFailedException e) {
      Refusal refusal = e.refusal();
      return noSuchMoment(
          PageException.statusOf(refusal),
          "The state as of %s cannot be shown: %s.".formatted(at, refusal.message()),
          TRANSIENT.contains(refusal.code()) ? List.of(new Link("Try again", url(at))) : List.of());
    }
  }

  private static Shown show(Screen screen, Visit then, Past past) {
    try {
      return new Shown(200, screen.show(then), Shown.problems(then), Optional.of(past));
    } catch (PageException e) {
      return noSuchPage(past, e.status(), e.getMessage());
    } catch (CallFailedException e) {
      Refusal refusal = e.refusal();
      return noSuchPage(past, PageException.statusOf(refusal), refusal.message());
    }
  }

  private static Shown noSuchPage(Past past, int status, String text) {
    List<Part> parts = List.of(Part.Note.of(Part.Tone.PROBLEM, text));
    return new Shown(
        status,
        new Page("This did not work", "", "", parts),
        Shown.PROBLEMS_UNKNOWN,
        Optional.of(past));
  }

  private Past past(String moment, AsOf shown) {
    return new Past(
        moment,
        "As of %s, after step %,d.".formatted(TimeText.at(shown.timeMs()), shown.sequence()),
        url(""),
        slider(shown.timeMs()),
        url -> PageUrls.with(url, TimeSlider.AT, moment));
  }

  private Optional<Part.Slider> slider(long valueMs) {
    try {
      Reads reads = visit.reads(ServiceCalls.PATIENCE);
      FeedRange kept = reads.range();
      return TimeSlider.of(path, visit.parameters(), kept, valueMs, reads.timeMs());
    } catch (CallFailedException e) {
      // The page is worth showing without.
      return Optional.empty();
    }
  }

  private Shown noSuchMoment(int status, String text, List<Link> links) {
    List<Link> ways = new ArrayList<>(links);
    ways.add(new Link("Back to now", url("")));
    List<Part> parts = new ArrayList<>();
    parts.add(new Part.Note(Part.Tone.PROBLEM, text, ways));
    parts.addAll(
        Parts.orWhyNot(
            "What is kept",
            () -> List.of(TimeScreen.kept(visit.reads(ServiceCalls.PATIENCE).range()))));
    slider(Long.MAX_VALUE).ifPresent(parts::add);
    return new Shown(
        status,
        new Page("The past cannot be shown", "", "", parts),
        Shown.PROBLEMS_UNKNOWN,
        Optional.empty());
  }

  /** The URL of the page as of a moment. */
  private String url(String moment) {
    return TimeSlider.url(path, visit.parameters(), moment);
  }
}
