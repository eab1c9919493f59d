package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Task;

/**
 * One task given to a claim.
 *
 * @param before the task as it was found
 * @param after the task as it was handed over
 */
record Grant(Task before, ModelTask after) {}
