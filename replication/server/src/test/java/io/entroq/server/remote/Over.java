package io.entroq.server.remote;

import io.entroq.client.ClientConfig;

/** By what a client's requests come to a server. */
enum Over {
  CALLS,
  STREAM;

  /** The set-up of a client of a server on this machine. */
  ClientConfig.Builder to(int port) {
    return ClientConfig.to("localhost:" + port).streaming(this == STREAM);
  }
}
