/** What a pending task takes of the memory outside the heap, at every size of a backlog. */
package io.entroq.perf.memory;
