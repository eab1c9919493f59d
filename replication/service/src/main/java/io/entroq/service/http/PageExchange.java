package io.entroq.service.http;

import io.entroq.service.http.protocol.ApiResponse;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request for a page, of this server or of a site. */
final class PageExchange extends Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(PageExchange.class);

  private final Supplier<CompletionStage<ApiResponse>> source;

  PageExchange(HttpConnection connection, Supplier<CompletionStage<ApiResponse>> source) {
    super(connection);
    this.source = source;
  }

  @Override
  void begin() {
    source
        .get()
        .whenComplete((page, failure) -> connection().execute(() -> respond(page, failure)));
  }

  private void respond(ApiResponse page, Throwable failure) {
    ApiResponse response = page;
    if (failure != null) {
      LOG.error("A page failed because of an internal error.", failure);
      response = ApiResponse.text(500, "internal error; see the server's log");
    }
    connection()
        .respond(
            this,
            connection().hasRoomFor(response)
                ? response
                : ApiResponse.text(429, HttpConnection.NO_ROOM.message()));
  }
}
