package io.entroq.server.remote;

/** The same over a call of gRPC for each request. */
class CallsConformanceTest extends RemoteConformanceTest {
  @Override
  boolean isStreaming() {
    return false;
  }
}
