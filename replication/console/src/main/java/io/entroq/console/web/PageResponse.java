package io.entroq.console.web;

import gg.jte.html.HtmlTemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.StringOutput;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The answer to a request; security headers are added later.
 *
 * @param status of HTTP
 * @param body not copied
 * @param headers other than those about the body
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record PageResponse(
    int status, String contentType, byte[] body, Map<String, String> headers) {
  private static final String HTML = "text/html; charset=utf-8";

  /**
   * A page or a part of one.
   *
   * @param template such as {@code out -> JteerrorGenerated.render(out, null, view)}
   */
  public static PageResponse html(Consumer<HtmlTemplateOutput> template) {
    return html(200, template);
  }

  /** A page with a status. */
  public static PageResponse html(int status, Consumer<HtmlTemplateOutput> template) {
    StringOutput text = new StringOutput();
    template.accept(new OwaspHtmlTemplateOutput(text));
    return of(status, HTML, text.toString());
  }

  /** Plain text. */
  public static PageResponse text(int status, String text) {
    return of(status, "text/plain; charset=utf-8", text + "\n");
  }

  private static PageResponse of(int status, String type, String body) {
    return new PageResponse(status, type, body.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  /**
   * Sends the browser to another page with a GET, as after a form.
   *
   * @param url made by {@link PageUrls}
   */
  public static PageResponse seeOther(String url) {
    return text(303, "See " + url).with("location", url);
  }

  /** Adds a header. */
  public PageResponse with(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    return new PageResponse(status, contentType, body, Map.copyOf(more));
  }
}
