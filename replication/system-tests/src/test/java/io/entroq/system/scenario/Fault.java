package io.entroq.system.scenario;

/** A fault of a cluster, which ends before {@link #inject} returns. */
@FunctionalInterface
interface Fault {
  void inject(FaultContext context) throws Exception;
}
