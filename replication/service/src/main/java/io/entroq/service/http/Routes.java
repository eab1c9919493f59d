package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.service.call.Method;
import io.entroq.service.call.Service;
import io.entroq.service.http.protocol.ApiRequest;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.http.protocol.ConnectCodec;
import io.entroq.service.http.protocol.ConnectDialect;
import io.entroq.service.http.protocol.Dialect;
import io.entroq.service.http.protocol.ErrorJson;
import io.entroq.service.http.protocol.RestDialect;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.netty.handler.codec.http.HttpRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What is served at which path. Any thread. */
final class Routes {
  private static final String CONNECT_PREFIX = "/" + Facade.V1.protoPackage() + ".EntroQ/";

  private final Map<String, Route> routes = new HashMap<>();

  /**
   * All of it.
   *
   * @param pages by their paths
   */
  Routes(Service service, Map<String, PageSource> pages) {
    for (RestMethod<?, ?> method : RestMethod.ALL) {
      routes.put(method.path(), new Route(method.verb(), rest(service, method)));
      routes.put(
          CONNECT_PREFIX + method.method().name(),
          new Route(RestMethod.POST, connect(service, method)));
    }
    routes.put(
        RestMethod.STREAM_PATH,
        new Route(
            RestMethod.GET, fixed(415, "stream type server not supported with REST protocol")));
    routes.put(
        CONNECT_PREFIX + Method.STREAM_TASKS.name(), new Route(RestMethod.POST, stream(service)));
    pages.forEach(
        (path, page) ->
            routes.put(
                path,
                new Route(
                    RestMethod.GET,
                    (connection, request) -> new PageExchange(connection, page, request))));
  }

  /** The exchange for a request. */
  Exchange exchange(HttpConnection connection, ApiRequest request) {
    Route route = routes.get(request.path());
    if (route == null) {
      return new FixedExchange(connection, ApiResponse.text(404, "Not Found"));
    }
    if (!request.verb().equals(route.verb())) {
      return new FixedExchange(
          connection, ApiResponse.text(405, "Method Not Allowed", Map.of("allow", route.verb())));
    }
    return route.endpoint().open(connection, request);
  }

  private static <Q extends Message, S extends Message> Endpoint rest(
      Service service, RestMethod<Q, S> method) {
    Dialect dialect = new RestDialect(method.onlyReads());
    return (connection, request) ->
        method.onlyReads() || isJson(request)
            ? new UnaryExchange<>(connection, service, method, dialect, request)
            : unsupported(connection, ApiResponse.JSON);
  }

  private static boolean isJson(ApiRequest request) {
    return !request.isEncoded()
        && request.mediaType().orElse(ApiResponse.JSON).equals(ApiResponse.JSON);
  }

  private static <Q extends Message, S extends Message> Endpoint connect(
      Service service, RestMethod<Q, S> method) {
    Map<String, Dialect> dialects = new HashMap<>();
    for (ConnectCodec codec : ConnectCodec.values()) {
      dialects.put(ConnectDialect.mediaType(codec), new ConnectDialect(codec));
    }
    return (connection, request) ->
        chosen(dialects, request)
            .<Exchange>map(
                dialect -> new UnaryExchange<>(connection, service, method, dialect, request))
            .orElseGet(() -> unsupported(connection, String.join(", ", dialects.keySet())));
  }

  private static Endpoint stream(Service service) {
    Map<String, ConnectCodec> codecs = new HashMap<>();
    for (ConnectCodec codec : ConnectCodec.values()) {
      codecs.put(StreamExchange.mediaType(codec), codec);
    }
    return (connection, request) ->
        chosen(codecs, request)
            .<Exchange>map(codec -> new StreamExchange(connection, service, codec, request))
            .orElseGet(() -> unsupported(connection, String.join(", ", codecs.keySet())));
  }

  private static <T> Optional<T> chosen(Map<String, T> byMediaType, ApiRequest request) {
    return request.isEncoded() ? Optional.empty() : request.mediaType().map(byMediaType::get);
  }

  private static Endpoint fixed(int status, String text) {
    return (connection, request) -> new FixedExchange(connection, ApiResponse.text(status, text));
  }

  private static Exchange unsupported(HttpConnection connection, String types) {
    return new FixedExchange(
        connection, ApiResponse.text(415, "Unsupported Media Type", Map.of("accept-post", types)));
  }

  /**
   * The response to a request that is refused before it has arrived as a whole.
   *
   * @param head empty: not known
   */
  ApiResponse refusal(Optional<HttpRequest> head, int status, Refusal refusal) {
    boolean isConnect =
        head.filter(known -> ApiRequest.path(known.uri()).startsWith(CONNECT_PREFIX)).isPresent();
    return ApiResponse.json(
        status, isConnect ? ErrorJson.connect(refusal) : ErrorJson.rest(refusal));
  }

  /** What is served at a path, by one verb. */
  private record Route(String verb, Endpoint endpoint) {}

  /** Opens exchanges for requests. */
  @FunctionalInterface
  private interface Endpoint {
    Exchange open(HttpConnection connection, ApiRequest request);
  }
}
