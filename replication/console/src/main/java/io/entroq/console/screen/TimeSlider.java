package io.entroq.console.screen;

import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.console.action.ActionOutcome;
import io.entroq.console.view.Field;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Parameters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Moves a page to another moment of the past. Without script, its form does. */
final class TimeSlider {
  /** The parameter that names the moment as of which a page is. */
  static final String AT = "at";

  /** Where the slider stands, and where it ends. */
  private static final String SLIDE = "slide";

  private static final String END = "end";

  /** What is about the present, or about the slider. */
  private static final Set<String> NOT_KEPT = Set.of(AT, SLIDE, END, ActionOutcome.DID);

  private static final long PLACES = 1_000;
  private static final long YEAR_9999_MS = Instant.parse("9999-12-31T23:59:59Z").toEpochMilli();

  private TimeSlider() {}

  /**
   * The slider of a page; empty if nobody knows since when the past is kept.
   *
   * @param path of the page
   * @param parameters of its URL
   * @param valueMs where it stands; at its end if that is later
   * @param nowMs where it ends
   */
  static Optional<Part.Slider> of(
      String path, Parameters parameters, FeedRange kept, long valueMs, long nowMs) {
    long firstMs = kept.getFirstTimeMs();
    if (firstMs == 0 || firstMs >= nowMs) {
      return Optional.empty();
    }
    long stepMs = Math.max(1, (nowMs - firstMs) / PLACES);
    // A browser stands at whole steps only, and at its end it is now.
    long lastMs = firstMs + (nowMs - firstMs + stepMs - 1) / stepMs * stepMs;
    List<Field> fields = new ArrayList<>();
    each(parameters, (name, value) -> fields.add(Field.hidden(name, value)));
    fields.add(Field.hidden(END, Long.toString(lastMs)));
    return Optional.of(
        new Part.Slider(
            PageUrls.to(path), fields, firstMs, lastMs, stepMs, Math.min(valueMs, lastMs)));
  }

  /** The URL to which the slider of a page was moved; empty if it was not. */
  static Optional<String> moved(String path, Parameters parameters) {
    if (parameters.text(SLIDE).isEmpty()) {
      return Optional.empty();
    }
    String exact = parameters.text(AT).strip();
    if (!exact.isEmpty()) {
      return Optional.of(url(path, parameters, exact));
    }
    long endMs = parameters.number(END, YEAR_9999_MS, 0, YEAR_9999_MS);
    long timeMs = parameters.number(SLIDE, endMs, 0, YEAR_9999_MS);
    return Optional.of(
        url(path, parameters, timeMs >= endMs ? "" : Instant.ofEpochMilli(timeMs).toString()));
  }

  /**
   * The URL of a page of another moment.
   *
   * @param at empty for now
   */
  static String url(String path, Parameters parameters, String at) {
    List<String> pairs = new ArrayList<>();
    each(parameters, (name, value) -> pairs.addAll(List.of(name, value)));
    pairs.addAll(List.of(AT, at));
    return PageUrls.to(path, pairs.toArray(String[]::new));
  }

  private static void each(Parameters parameters, BiConsumer<String, String> to) {
    for (String name : parameters.names()) {
      if (!NOT_KEPT.contains(name)) {
        parameters.all(name).forEach(value -> to.accept(name, value));
      }
    }
  }
}
