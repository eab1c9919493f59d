package io.entroq.service.http;

import io.grpc.Status;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A request head that the codec accepts but RFC 9112 forbids: proxies could disagree on its target
 * or its end.
 */
final class InvalidHeadException extends DecoderException {
  private static final long serialVersionUID = 1L;

  /** A name or an address, perhaps with a port; may be empty. */
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9A-Za-z:.%~_-]+\\]|[0-9A-Za-z._~!$&'()*+,;=%-]*)(:[0-9]{0,5})?");

  private static final Pattern TARGET =
      Pattern.compile("(?i)(/|https?://[^/?#\\x00-\\x20\\x7f])[^\\x00-\\x20\\x7f]*");

  private static final Pattern CHUNKED = Pattern.compile("(?i)\\s*chunked\\s*(,\\s*chunked\\s*)*");

  private final int status;

  private InvalidHeadException(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }

  /** The code in the response body. */
  Status.Code code() {
    return status < 500 ? Status.Code.INVALID_ARGUMENT : Status.Code.UNIMPLEMENTED;
  }

  static InvalidHeadException emptyLines() {
    return new InvalidHeadException(400, "too many empty lines before a request");
  }

  /**
   * @throws InvalidHeadException if the head is invalid
   */
  static void check(HttpRequest request) {
    HttpHeaders headers = request.headers();
    checkVersion(request.protocolVersion());
    checkTarget(request);
    checkHost(headers.getAll(HttpHeaderNames.HOST), request.protocolVersion());
    checkLength(headers);
  }

  private static void checkVersion(HttpVersion version) {
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      throw new InvalidHeadException(505, version + ": only HTTP/1.1 and HTTP/1.0 are supported");
    }
  }

  private static void checkTarget(HttpRequest request) {
    boolean isServerWide = request.method().equals(HttpMethod.OPTIONS) && request.uri().equals("*");
    if (!isServerWide && !TARGET.matcher(request.uri()).matches()) {
      throw new InvalidHeadException(
          400,
          "the target of the request must be a path or an HTTP URL, without blanks or control characters");
    }
  }

  private static void checkHost(List<String> hosts, HttpVersion version) {
    if (hosts.size() > 1) {
      throw new InvalidHeadException(400, "Host: expected once, given " + hosts.size() + " times");
    }
    if (hosts.isEmpty() && version.equals(HttpVersion.HTTP_1_1)) {
      throw new InvalidHeadException(400, "Host: missing");
    }
    if (!hosts.isEmpty() && !HOST.matcher(hosts.get(0)).matches()) {
      throw new InvalidHeadException(
          400, "Host: must be a name or address, optionally with a port");
    }
  }

  /**
   * Checks the headers that determine the end of a request. The codec may have rejected the request
   * before reading all of them.
   *
   * @throws InvalidHeadException if the end is ambiguous
   */
  static void checkLength(HttpHeaders headers) {
    String codings = String.join(",", headers.getAll(HttpHeaderNames.TRANSFER_ENCODING));
    if (!codings.isEmpty() && headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
      throw new InvalidHeadException(400, "both Transfer-Encoding and Content-Length are given");
    }
    if (!codings.isEmpty() && !CHUNKED.matcher(codings).matches()) {
      throw new InvalidHeadException(501, "Transfer-Encoding: only chunked is supported");
    }
    if (codings.indexOf(',') >= 0) {
      throw new InvalidHeadException(400, "Transfer-Encoding: chunked is given more than once");
    }
    if (headers.contains(HttpHeaderNames.SEC_WEBSOCKET_KEY1)) {
      // The codec assumes that eight more bytes follow; no other server does.
      throw new InvalidHeadException(400, "Sec-WebSocket-Key1: this protocol is not supported");
    }
  }
}
