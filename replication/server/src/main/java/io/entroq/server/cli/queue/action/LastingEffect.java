package io.entroq.server.cli.queue.action;

import java.util.Optional;

/** A command whose effect persists even if its output cannot be written. */
public interface LastingEffect {
  /** The effect so far, as the start of a sentence; empty if there is none. */
  Optional<String> done();
}
