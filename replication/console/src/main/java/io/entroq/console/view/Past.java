package io.entroq.console.view;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * That a page shows the past.
 *
 * @param at the moment, as the parameter of URLs
 * @param text says of when it is
 * @param now the URL of the same page of now
 * @param slider to another moment; empty if nobody knows since when the past is kept
 * @param urls the URL of a page of the same moment by that of now
 */
public record Past(
    String at, String text, String now, Optional<Part.Slider> slider, UnaryOperator<String> urls) {
  /** The URL of a page of the same moment; empty for nowhere. */
  public String url(String now) {
    return now.isEmpty() ? "" : urls.apply(now);
  }
}
