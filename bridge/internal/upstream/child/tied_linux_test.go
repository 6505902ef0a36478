package child

// tied is the role of a child whose first message names a process that ends with this
// one: here the child alone does.
const tied = "sleep"
