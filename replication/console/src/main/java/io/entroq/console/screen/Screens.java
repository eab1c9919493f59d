package io.entroq.console.screen;

import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.console.view.Frame;
import io.entroq.console.view.jte.JtehelloGenerated;
import io.entroq.console.web.PageRequest;
import io.entroq.console.web.PageResponse;
import io.entroq.console.web.Router;
import io.entroq.service.call.Method;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/** All pages. */
public final class Screens {
  private final ScreenParts parts;

  private Screens(ScreenParts parts) {
    this.parts = parts;
  }

  /** Adds all pages. */
  public static void addTo(Router router, ScreenParts parts) {
    Screens screens = new Screens(parts);
    router.page("", screens::hello);
  }

  private CompletionStage<PageResponse> hello(PageRequest request) {
    Frame frame = request.frame("Overview", Frame.Section.OVERVIEW);
    return parts
        .calls()
        .call(request.user(), Method.TIME, TimeRequest.getDefaultInstance())
        .thenApply(
            time ->
                PageResponse.html(
                    out ->
                        JtehelloGenerated.render(
                            out, null, frame, Instant.ofEpochMilli(time.getTimeMs()).toString())));
  }
}
