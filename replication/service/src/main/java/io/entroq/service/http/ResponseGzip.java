package io.entroq.service.http;

import io.netty.handler.codec.compression.StandardCompressionOptions;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;

/** Compresses responses above a minimum size for clients that accept gzip. */
final class ResponseGzip extends HttpContentCompressor {
  private static final int BYTES_MIN = 1 << 10;
  private static final int LEVEL = 4;
  private static final int WINDOW_BITS = 15;
  private static final int MEMORY_LEVEL = 8;

  ResponseGzip() {
    super(BYTES_MIN, StandardCompressionOptions.gzip(LEVEL, WINDOW_BITS, MEMORY_LEVEL));
  }

  @Override
  protected Result beginEncode(HttpResponse response, String acceptEncoding) throws Exception {
    // Without a length it comes in pieces, which compression would delay.
    return HttpUtil.isContentLengthSet(response)
        ? super.beginEncode(response, acceptEncoding)
        : null;
  }
}
