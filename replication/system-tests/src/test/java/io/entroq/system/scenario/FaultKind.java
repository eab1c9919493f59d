package io.entroq.system.scenario;

import java.util.Locale;

/** Kinds of faults that are mixed, in the order in which they begin. */
enum FaultKind {
  /** A fraction of all packets between members is lost. */
  LOSS(FaultRound::lose),

  /** A wall clock is wrong. */
  CLOCK(FaultRound::setClock),

  /** A disk is full. */
  FULL_DISK(FaultRound::fillDisk),

  /** Members do not reach each other. */
  PARTITION(FaultRound::cut),

  /** A bit on the disk of a member flips, or all its data is lost. */
  FLIP(FaultRound::damage),

  /** SIGKILL to one member or more. */
  KILL(FaultRound::kill),

  /** SIGSTOP; last, since a stopped member does not answer. */
  STOP(FaultRound::stop);

  final Begin begin;

  FaultKind(Begin begin) {
    this.begin = begin;
  }

  /** Begins a fault of the kind. */
  @FunctionalInterface
  interface Begin {
    void begin(FaultRound round) throws Exception;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
