package io.entroq.server.cli.queue;

import java.util.Optional;

/** A command that does something which stays, whether or not anybody can read of it. */
public interface LastingEffect {
  /** What it has done, for people; empty if that is nothing. */
  Optional<String> done();
}
