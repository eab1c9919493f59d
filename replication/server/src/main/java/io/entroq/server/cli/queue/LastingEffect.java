package io.entroq.server.cli.queue;

import java.util.Optional;

/** A command whose effect stays even if its output cannot be written. */
public interface LastingEffect {
  /** What it has done, for people; empty if nothing. */
  Optional<String> done();
}
